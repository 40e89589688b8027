/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment: each variable has a line in the table, with how it is read and shown. OpenMP 5.1
 * §6; GOMP_STACKSIZE, GOMP_SPINCOUNT as libgomp's manual has them. */
#include "core/fatal.h"
#include "core/params.h"
#include "omp/places.h"
#include "omp/program.h"
#include "omp/team.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- words and numbers; blanks around them do not count ---- */

static const char *after_blanks(const char *text) {
    return text + strspn(text, " \t\n");
}

/* Whether the text goes on with `word`, and no further letter; *text_p is behind it then. */
static bool take_word(const char **text_p, const char *word) {
    const char *text = after_blanks(*text_p);
    size_t length = strlen(word);
    if (strncasecmp(text, word, length) != 0 || isalnum((unsigned char)text[length])) {
        return false;
    }
    *text_p = after_blanks(text + length);
    return true;
}

static bool take_comma(const char **text_p) {
    if (**text_p != ',') {
        return false;
    }
    *text_p = after_blanks(*text_p + 1);
    return true;
}

static bool take_number(const char **text_p, uint64_t least, uint64_t most, uint64_t *value_p) {
    const char *text = after_blanks(*text_p);
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)*text) || errno || value < least || value > most) {
        return false;
    }
    *value_p = value;
    *text_p = after_blanks(end);
    return true;
}

/* One of some words, numbered from 0. */
static bool read_word(const char *text, const char *const *words, unsigned *at_p) {
    for (unsigned i = 0; words[i]; i++) {
        const char *rest = text;
        if (take_word(&rest, words[i]) && !*rest) {
            *at_p = i;
            return true;
        }
    }
    return false;
}

static bool read_flag(const char *text, bool *flag_p) {
    static const char *const words[] = {"false", "true", "0", "1", "no", "yes", "off", "on", NULL};
    unsigned at;
    if (!read_word(text, words, &at)) {
        return false;
    }
    *flag_p = at % 2;
    return true;
}

static bool read_number(const char *text, uint64_t least, uint64_t most, uint32_t *value_p) {
    uint64_t value;
    if (!take_number(&text, least, most, &value) || *text) {
        return false;
    }
    *value_p = (uint32_t)value;
    return true;
}

static bool read_size(const char *text, uint64_t unit, uint64_t *bytes_p) {
    char packed[32];
    size_t n = 0;
    for (; *text; text++) {
        if (!isspace((unsigned char)*text) && n < sizeof packed - 1) {
            packed[n++] = *text;
        }
    }
    packed[n] = '\0';
    return fl_params_parse_size(packed, unit, bytes_p);
}

/* ---- the variables ---- */

typedef struct fl_omp_program program;

static const char *flag_name(bool flag) {
    return flag ? "TRUE" : "FALSE";
}

/* A variable that is a flag, or a number between two. */
#define FLAG(name, field)                                                                          \
    static bool read_##name(program *p, const char *text) {                                        \
        return read_flag(text, &p->field);                                                         \
    }                                                                                              \
    static void show_##name(const program *p, FILE *to) {                                          \
        fputs(flag_name(p->field), to);                                                            \
    }
#define NUMBER(name, field, least, most)                                                           \
    static bool read_##name(program *p, const char *text) {                                        \
        return read_number(text, least, most, &p->field);                                          \
    }                                                                                              \
    static void show_##name(const program *p, FILE *to) {                                          \
        fprintf(to, "%u", p->field);                                                               \
    }
FLAG(dynamic, icvs.dynamic)
FLAG(cancellation, cancellation)
FLAG(show_affinity, show_affinity)
NUMBER(limit, icvs.thread_limit, 1, FL_OMP_NO_LIMIT)
NUMBER(priority, max_task_priority, 0, INT32_MAX)
NUMBER(teams, teams, 1, INT32_MAX)
NUMBER(teams_limit, teams_thread_limit, 1, INT32_MAX)

static bool read_nested(program *p, const char *text) {
    bool nested;
    if (!read_flag(text, &nested)) {
        return false;
    }
    p->icvs.max_active_levels = nested ? FL_OMP_MOST_LEVELS : 1;
    return true;
}

static void show_nested(const program *p, FILE *to) {
    fputs(flag_name(p->icvs.max_active_levels > 1), to);
}

static bool read_threads(program *p, const char *text) {
    uint64_t values[FL_OMP_LEVELS] = {0}, value;
    unsigned n = 0;
    do {
        if (!take_number(&text, 1, FL_OMP_NO_LIMIT, &value)) {
            return false;
        }
        if (n < FL_OMP_LEVELS) {
            values[n++] = value;
        }
    } while (take_comma(&text));
    if (*text) {
        return false;
    }
    for (unsigned i = 0; i < n; i++) {
        p->threads[i] = (uint32_t)values[i];
    }
    p->n_threads = n;
    p->icvs.threads = p->threads[0];
    p->icvs.max_active_levels = n > 1 ? FL_OMP_MOST_LEVELS : p->icvs.max_active_levels;
    return true;
}

static void show_threads(const program *p, FILE *to) {
    fprintf(to, "%u", fl_omp_threads(&p->icvs));
    for (unsigned i = 1; i < p->n_threads; i++) {
        fprintf(to, ",%u", p->threads[i]);
    }
}

static const char *const schedules[] = {"static", "dynamic", "guided", "auto", NULL};

static bool read_schedule(program *p, const char *text) {
    uint32_t monotonic = 0;
    const char *rest = text;
    if (take_word(&rest, "monotonic") && *rest == ':') {
        monotonic = FL_OMP_MONOTONIC;
        text = rest + 1;
    } else if (rest = text, take_word(&rest, "nonmonotonic") && *rest == ':') {
        text = rest + 1;
    }
    uint32_t kind = 0;
    while (schedules[kind] && !take_word(&text, schedules[kind])) {
        kind++;
    }
    uint64_t chunk = kind > 0; /* as omp_set_schedule has it */
    bool good = schedules[kind] && (!take_comma(&text) || take_number(&text, 1, INT32_MAX, &chunk));
    if (!good || *text) {
        return false;
    }
    p->icvs.schedule = (kind + FL_OMP_STATIC) | monotonic;
    p->icvs.chunk = (int64_t)chunk;
    return true;
}

static void show_schedule(const program *p, FILE *to) {
    bool monotonic = p->icvs.schedule & FL_OMP_MONOTONIC;
    fprintf(to, "%s%s", monotonic ? "MONOTONIC:" : "",
            schedules[(p->icvs.schedule & ~FL_OMP_MONOTONIC) - FL_OMP_STATIC]);
    if (p->icvs.chunk) {
        fprintf(to, ",%lld", (long long)p->icvs.chunk);
    }
}

static const char *const binds[] = {"false",  "true",   "primary", "close",
                                    "spread", "master", NULL};

static bool read_bind(program *p, const char *text) {
    uint8_t values[FL_OMP_LEVELS] = {0};
    unsigned n = 0;
    do {
        unsigned kind = 0;
        while (binds[kind] && !take_word(&text, binds[kind])) {
            kind++;
        }
        if (!binds[kind] || (kind <= FL_OMP_BIND_TRUE && n > 0)) {
            return false;
        }
        if (n < FL_OMP_LEVELS) {
            values[n++] = (uint8_t)(kind > FL_OMP_BIND_SPREAD ? FL_OMP_BIND_PRIMARY : kind);
        }
    } while (take_comma(&text));
    if (*text) {
        return false;
    }
    memcpy(p->binds, values, sizeof values);
    p->n_binds = n;
    p->icvs.bind = p->binds[0];
    p->icvs.max_active_levels = n > 1 ? FL_OMP_MOST_LEVELS : p->icvs.max_active_levels;
    return true;
}

static void show_bind(const program *p, FILE *to) {
    fputs(binds[p->icvs.bind], to);
    for (unsigned i = 1; i < p->n_binds; i++) {
        fprintf(to, ",%s", binds[p->binds[i]]);
    }
}

static bool read_places(program *p, const char *text) {
    (void)p;
    return fl_omp_places_read(text);
}

static void show_places(const program *p, FILE *to) {
    (void)p;
    fl_omp_places_show(to);
}

static bool read_stack(program *p, const char *text) {
    return read_size(text, 1024, &p->stack);
}

static void show_stack(const program *p, FILE *to) {
    fprintf(to, "%llu", (unsigned long long)p->stack);
}

static bool read_waiting(program *p, const char *text) {
    static const char *const words[] = {"passive", "active", NULL};
    unsigned at;
    if (!read_word(text, words, &at)) {
        return false;
    }
    p->waiting = at ? FL_OMP_WAIT_ACTIVE : FL_OMP_WAIT_PASSIVE;
    return true;
}

static void show_waiting(const program *p, FILE *to) {
    fputs(p->waiting == FL_OMP_WAIT_ACTIVE ? "ACTIVE" : "PASSIVE", to);
}

static bool read_levels(program *p, const char *text) {
    uint32_t levels;
    if (!read_number(text, 0, FL_OMP_NO_LIMIT, &levels)) {
        return false;
    }
    p->icvs.max_active_levels = levels < FL_OMP_MOST_LEVELS ? levels : FL_OMP_MOST_LEVELS;
    return true;
}

static void show_levels(const program *p, FILE *to) {
    fprintf(to, "%u", p->icvs.max_active_levels);
}

static bool read_device(program *p, const char *text) {
    uint32_t device;
    if (!read_number(text, 0, INT32_MAX, &device)) {
        return false;
    }
    p->icvs.device = (int32_t)device;
    return true;
}

static void show_device(const program *p, FILE *to) {
    fprintf(to, "%d", (int)p->icvs.device);
}

static const char *const offloads[] = {"default", "mandatory", "disabled", NULL};

static bool read_offload(program *p, const char *text) {
    unsigned at;
    if (!read_word(text, offloads, &at)) {
        return false;
    }
    p->offload = (enum fl_omp_offload)at;
    return true;
}

static void show_offload(const program *p, FILE *to) {
    fputs(offloads[p->offload], to);
}

static const char *const allocators[] = {
    "omp_null_allocator",     "omp_default_mem_alloc", "omp_large_cap_mem_alloc",
    "omp_const_mem_alloc",    "omp_high_bw_mem_alloc", "omp_low_lat_mem_alloc",
    "omp_cgroup_mem_alloc",   "omp_pteam_mem_alloc",   "omp_thread_mem_alloc",
    NULL};

static bool read_allocator(program *p, const char *text) {
    unsigned at;
    uint32_t number;
    if (read_word(text, allocators, &at) && at > 0) {
        p->icvs.allocator = at;
        return true;
    }
    if (!read_number(text, 1, 8, &number)) {
        return false;
    }
    p->icvs.allocator = number;
    return true;
}

static void show_allocator(const program *p, FILE *to) {
    fputs(p->icvs.allocator <= 8 ? allocators[p->icvs.allocator] : "", to);
}

static bool read_format(program *p, const char *text) {
    p->affinity_format = text;
    return true;
}

static void show_format(const program *p, FILE *to) {
    fputs(p->affinity_format, to);
}

static bool read_show_settings(program *p, const char *text) {
    bool show;
    if (read_flag(text, &show)) {
        p->show_settings = show ? FL_OMP_SHOW : FL_OMP_SHOW_NOTHING;
        return true;
    }
    static const char *const words[] = {"verbose", NULL};
    unsigned at;
    p->show_settings = FL_OMP_SHOW_VERBOSE;
    return read_word(text, words, &at);
}

static bool read_spins(program *p, const char *text) {
    static const char *const words[] = {"infinite", "infinity", NULL};
    unsigned at;
    if (read_word(text, words, &at)) {
        p->spins = UINT64_MAX;
        return true;
    }
    bool good = read_size(text, 1, &p->spins);
    p->spins = p->spins ? p->spins : 1; /* 0 means chosen */
    return good;
}

static void show_spins(const program *p, FILE *to) {
    fprintf(to, "%llu", (unsigned long long)p->spins);
}

static const struct setting {
    const char *name;
    bool (*read)(program *p, const char *text);
    void (*show)(const program *p, FILE *to); /* null: not shown */
    bool verbose;                             /* shown only if all is asked for */
} settings[] = {
    {"OMP_DYNAMIC", read_dynamic, show_dynamic, false},
    {"OMP_NESTED", read_nested, show_nested, false},
    {"OMP_NUM_THREADS", read_threads, show_threads, false},
    {"OMP_SCHEDULE", read_schedule, show_schedule, false},
    {"OMP_PROC_BIND", read_bind, show_bind, false},
    {"GOMP_CPU_AFFINITY", fl_omp_places_read_cpus, NULL, false},
    {"OMP_PLACES", read_places, show_places, false},
    {"GOMP_STACKSIZE", read_stack, NULL, false},
    {"OMP_STACKSIZE", read_stack, show_stack, false},
    {"OMP_WAIT_POLICY", read_waiting, show_waiting, false},
    {"OMP_THREAD_LIMIT", read_limit, show_limit, false},
    {"OMP_MAX_ACTIVE_LEVELS", read_levels, show_levels, false},
    {"OMP_NUM_TEAMS", read_teams, show_teams, false},
    {"OMP_TEAMS_THREAD_LIMIT", read_teams_limit, show_teams_limit, false},
    {"OMP_CANCELLATION", read_cancellation, show_cancellation, false},
    {"OMP_DEFAULT_DEVICE", read_device, show_device, false},
    {"OMP_MAX_TASK_PRIORITY", read_priority, show_priority, false},
    {"OMP_DISPLAY_AFFINITY", read_show_affinity, show_show_affinity, false},
    {"OMP_AFFINITY_FORMAT", read_format, show_format, false},
    {"OMP_ALLOCATOR", read_allocator, show_allocator, false},
    {"OMP_TARGET_OFFLOAD", read_offload, show_offload, false},
    {"OMP_DISPLAY_ENV", read_show_settings, NULL, false},
    {"GOMP_SPINCOUNT", read_spins, show_spins, true},
};

void fl_omp_settings_read(struct fl_omp_program *p) {
    p->icvs = (struct fl_omp_icvs){.thread_limit = FL_OMP_NO_LIMIT,
                                   .max_active_levels = 1,
                                   .schedule = FL_OMP_DYNAMIC,
                                   .chunk = 1,
                                   .allocator = 1};
    p->affinity_format = "level %L thread %i affinity %A";
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        const char *text = fl_params_foreign(settings[i].name);
        if (text && !settings[i].read(p, text)) {
            fl_warn("%s='%s' cannot be understood and has no effect", settings[i].name, text);
        }
    }
    /* OpenMP 5.2 §21.2.7: where there are none but the host. */
    enum { NO_DEVICE = -4 };
    if (p->offload == FL_OMP_OFFLOAD_MANDATORY && p->icvs.device == 0) {
        p->icvs.device = NO_DEVICE;
    }
}

/* OpenMP 5.1 §6.12. */
void fl_omp_settings_show(const struct fl_omp_program *p, bool verbose) {
    fputs("\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '201511'\n", stderr);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        if (settings[i].show && (verbose || !settings[i].verbose)) {
            fprintf(stderr, "  [host] %s = '", settings[i].name);
            settings[i].show(p, stderr);
            fputs("'\n", stderr);
        }
    }
    fputs("OPENMP DISPLAY ENVIRONMENT END\n", stderr);
}
