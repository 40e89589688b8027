/* SPDX-License-Identifier: BSD-3-Clause */
/* See params.h. The table is params.def. */
#include "core/params.h"

#include "core/fatal.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

extern char **environ;

enum param_type { SIZE, COUNT, FLAG, TEXT };

struct param {
    const char *variable;
    size_t offset;
    enum param_type type;
    uint64_t initial, least, most;
};

static const struct param table[] = {
#define FL_PARAM(field, variable, type, initial, least, most, stability, help)                     \
    {variable, offsetof(struct fl_params, field), type, initial, least, most},
#include "core/params.def"
#undef FL_PARAM
};
const struct fl_params fl_params_initial = {
#define FL_PARAM(field, variable, type, initial, least, most, stability, help) .field = initial,
#include "core/params.def"
#undef FL_PARAM
};
enum { N_PARAMS = sizeof table / sizeof table[0] };

/* Variables with this prefix that upcrun, not the runtime, reads, or that the two exchange. */
static const char *const foreign[] = {"FURLONG_JOB", "FURLONG_LAUNCHED"};

static bool parse_count(const char *text, uint64_t *value_p) {
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end || errno) {
        return false;
    }
    *value_p = value;
    return true;
}

/* yes and no, as users of Berkeley UPC write them. */
static bool parse_word(const char *text, uint64_t *value_p) {
    static const char *const words[] = {"no", "n", "false", "off", "yes", "y", "true", "on"};
    for (size_t i = 0; i < 8; i++) {
        if (strcasecmp(text, words[i]) == 0) {
            *value_p = i >= 4;
            return true;
        }
    }
    return false;
}

bool fl_params_parse_size(const char *text, uint64_t unit, uint64_t *bytes_p) {
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || errno) {
        return false;
    }
    static const char letters[] = "KMGT";
    const char *letter = *end ? strchr(letters, toupper((unsigned char)*end)) : NULL;
    if (letter) {
        unit = 1024ull << 10 * (letter - letters);
        end++;
        if (*end == 'i') {
            end++;
        }
    } else if (*end) {
        unit = 1;
    }
    if (*end == 'B' || *end == 'b') {
        end++;
    }
    uint64_t bytes;
    if (*end || __builtin_mul_overflow(number, unit, &bytes)) {
        return false;
    }
    *bytes_p = bytes;
    return true;
}

static _Noreturn void report_value(const struct param *param, const char *text, bool is_number) {
    if (param->type == SIZE && !is_number) {
        fl_fatal(FL_CODE_SETTING, "%s=%s: expected a size such as 64MB or 2GB", param->variable,
                 text);
    }
    fl_fatal(FL_CODE_SETTING, "%s=%s: expected a %s from %llu to %llu", param->variable, text,
             param->type == SIZE ? "number of bytes" : "number",
             (unsigned long long)param->least, (unsigned long long)param->most);
}

/* A program that runs with more rights than its caller (setuid) must not be steered by the caller. */
static char *value_of(const char *variable) {
    return secure_getenv(variable);
}

static uint64_t read_param(const struct param *param) {
    const char *text = value_of(param->variable);
    if (!text || !*text) {
        return param->initial;
    }
    uint64_t value = 0;
    bool megabytes = strncmp(param->variable, "UPC_", 4) == 0;
    bool good = param->type == SIZE ? fl_params_parse_size(text, megabytes ? 1u << 20 : 1, &value)
                                    : parse_count(text, &value);
    if (!good && param->type == FLAG) {
        good = parse_word(text, &value);
    }
    if (!good || value < param->least || value > param->most) {
        report_value(param, text, good);
    }
    return value;
}

/* Edit distance, for short names; gives up (a large number) beyond 63 characters. */
static unsigned distance(const char *a, const char *b) {
    unsigned row[64];
    size_t n = strlen(b);
    if (n >= 64) {
        return 1000;
    }
    for (unsigned j = 0; j <= n; j++) {
        row[j] = j;
    }
    for (unsigned i = 1; a[i - 1]; i++) {
        unsigned diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            unsigned change = diagonal + (a[i - 1] != b[j - 1]);
            unsigned indel = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = change < indel ? change : indel;
        }
    }
    return row[n];
}

static void warn_if_unknown(const char *name) {
    const char *nearest = NULL;
    unsigned best = 4;
    for (size_t i = 0; i < N_PARAMS; i++) {
        unsigned d = distance(name, table[i].variable);
        if (d == 0) {
            return;
        }
        if (d < best) {
            best = d;
            nearest = table[i].variable;
        }
    }
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        if (strcmp(name, foreign[i]) == 0) {
            return;
        }
    }
    fl_warn("%s is not a setting that Furlong knows%s%s%s", name, nearest ? " (did you mean " : "",
            nearest ? nearest : "", nearest ? "?)" : "");
}

void fl_params_read(struct fl_params *params) {
    for (size_t i = 0; i < N_PARAMS; i++) {
        char *field = (char *)params + table[i].offset;
        if (table[i].type == TEXT) {
            const char *text = value_of(table[i].variable);
            memcpy(field, &text, sizeof text);
        } else {
            uint64_t value = read_param(&table[i]);
            memcpy(field, &value, sizeof value);
        }
    }
}

void fl_params_warn_unknown(void) {
    for (char **entry = environ; entry && *entry; entry++) {
        char name[64];
        size_t length = strcspn(*entry, "=");
        if (strncmp(*entry, "FURLONG_", 8) == 0 && length < sizeof name) {
            memcpy(name, *entry, length);
            name[length] = '\0';
            warn_if_unknown(name);
        }
    }
}

char *fl_params_take(const char *variable) {
    const char *text = value_of(variable);
    char *copy = text ? strdup(text) : NULL;
    if (text && !copy) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for the value of %s", variable);
    }
    unsetenv(variable);
    return copy;
}

const char *fl_params_foreign(const char *variable) {
    return value_of(variable);
}
