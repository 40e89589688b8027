/* SPDX-License-Identifier: BSD-3-Clause */
/* Text that describes where threads run: OMP_DISPLAY_AFFINITY and its routines. OpenMP 5.1
 * §3.3.8-3.3.11, §6.14. */
#include "omp/affinity.h"

#include "core/mutex.h"
#include "omp/hosts.h"
#include "omp/places.h"
#include "omp/program.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    struct fl_mutex mutex;
    struct fl_omp_affinity_format format; /* set by the program; empty: the environment's */
} affinity;

/* The format in force, which may be in `copy`. */
static const char *current_format(struct fl_omp_affinity_format *copy) {
    fl_mutex_lock(&affinity.mutex);
    *copy = affinity.format;
    fl_mutex_unlock(&affinity.mutex);
    return copy->text[0] ? copy->text : fl_omp_program.affinity_format;
}

void fl_omp_affinity_told(const struct fl_omp_affinity_format *format) {
    fl_mutex_lock(&affinity.mutex);
    affinity.format = *format;
    fl_mutex_unlock(&affinity.mutex);
}

static void set_format(const struct fl_omp_affinity_format *format) {
    fl_omp_affinity_told(format);
    if (fl_omp_spread()) {
        fl_omp_hosts_affinity(format);
    }
}

/* CPUs of the calling thread: 0-3,8. */
static void name_cpus(char *text, size_t size) {
    enum { WORDS = 16 };
    uint64_t cpus[WORDS];
    size_t at = 0;
    fl_os_cpu_set(cpus, WORDS);
    text[0] = '\0';
    for (unsigned cpu = 0; cpu < WORDS * 64 && at < size; cpu++) {
        unsigned first = cpu;
        while (cpu < WORDS * 64 && cpus[cpu / 64] >> cpu % 64 & 1) {
            cpu++;
        }
        if (cpu == first) {
            continue;
        }
        const char *comma = at ? "," : "";
        int n = cpu - first > 1 ? snprintf(text + at, size - at, "%s%u-%u", comma, first, cpu - 1)
                                : snprintf(text + at, size - at, "%s%u", comma, first);
        at += n > 0 ? (size_t)n : 0;
    }
}

static const struct {
    char letter;
    const char *name;
} fields[] = {{'t', "team_num"},       {'T', "num_teams"},        {'L', "nesting_level"},
              {'n', "thread_num"},     {'N', "num_threads"},      {'a', "ancestor_tnum"},
              {'H', "host"},           {'P', "process_id"},       {'i', "native_thread_id"},
              {'A', "thread_affinity"}};

static void name_field(char letter, char *text, size_t size) {
    const struct fl_omp_member *me = fl_omp_self();
    const struct fl_omp_team *team = me->team;
    const struct fl_omp_icvs *icvs = &me->task->icvs;
    long value = 0;
    switch (letter) {
    case 't':
        value = (long)icvs->team;
        break;
    case 'T':
        value = icvs->teams ? (long)icvs->teams : 1;
        break;
    case 'L':
        value = (long)team->level;
        break;
    case 'n':
        value = (long)me->number;
        break;
    case 'N':
        value = (long)me->size;
        break;
    case 'a':
        value = team->outer ? (long)team->outer->number : -1;
        break;
    case 'P':
        value = (long)getpid();
        break;
    case 'i':
        value = (long)fl_os_thread_id();
        break;
    case 'H':
        gethostname(text, size);
        text[size - 1] = '\0';
        return;
    case 'A':
        name_cpus(text, size);
        return;
    default:
        snprintf(text, size, "undefined");
        return;
    }
    snprintf(text, size, "%ld", value);
}

/* Like snprintf: stores what fits, and counts the length of all. */
struct out {
    char *to;
    size_t size, at;
};

static void put(struct out *out, const char *text, size_t n) {
    for (size_t i = 0; i < n; i++, out->at++) {
        if (out->at + 1 < out->size) {
            out->to[out->at] = text[i];
        }
    }
}

/* "%" ["0"] ["."] [width] (letter | "{" name "}"). Returns what follows the field in the format. */
static const char *put_field(struct out *out, const char *format) {
    bool zeros = *format == '0';
    format += zeros;
    bool right = *format == '.' || zeros;
    format += *format == '.';
    size_t width = 0;
    while (isdigit((unsigned char)*format)) {
        width = width * 10 + (size_t)(*format++ - '0');
    }
    char letter = *format, text[512];
    if (letter == '{') {
        const char *end = strchr(format, '}');
        size_t length = end ? (size_t)(end - format - 1) : 0;
        letter = '?';
        for (size_t i = 0; i < sizeof fields / sizeof fields[0] && end; i++) {
            if (strlen(fields[i].name) == length &&
                strncmp(fields[i].name, format + 1, length) == 0) {
                letter = fields[i].letter;
            }
        }
        format = end ? end : format + strlen(format) - 1;
    }
    name_field(letter, text, sizeof text);
    size_t length = strlen(text), sign = text[0] == '-';
    bool number = isdigit((unsigned char)text[sign]);
    sign = zeros && number ? sign : 0; /* stands before the zeros */
    put(out, text, sign);
    for (size_t i = length; right && i < width; i++) {
        put(out, zeros && number ? "0" : " ", 1);
    }
    put(out, text + sign, length - sign);
    for (size_t i = length; !right && i < width; i++) {
        put(out, " ", 1);
    }
    return *format ? format + 1 : format;
}

static size_t capture(char *to, size_t size, const char *format) {
    struct out out = {to, size, 0};
    struct fl_omp_affinity_format copy;
    format = format && *format ? format : current_format(&copy);
    while (*format) {
        const char *percent = strchrnul(format, '%');
        put(&out, format, (size_t)(percent - format));
        format = percent;
        if (*format == '%') {
            format++;
            if (*format == '%') {
                put(&out, format++, 1);
            } else {
                format = put_field(&out, format);
            }
        }
    }
    if (size > 0) {
        to[out.at < size ? out.at : size - 1] = '\0';
    }
    return out.at;
}

void fl_omp_affinity_show(const char *format) {
    size_t length = capture(NULL, 0, format);
    char *text = malloc(length + 2);
    if (text) {
        capture(text, length + 1, format);
        text[length] = '\n';
        (void)fl_os_write_all_sigsafe(STDERR_FILENO, text, length + 1);
        free(text);
    }
}

/* ---- what programs call ---- */

FL_OMP_API void omp_set_affinity_format(const char *format) {
    struct fl_omp_affinity_format copy = {0};
    snprintf(copy.text, sizeof copy.text, "%s", format);
    set_format(&copy);
}

FL_OMP_API size_t omp_get_affinity_format(char *to, size_t size) {
    struct fl_omp_affinity_format copy;
    int length = snprintf(to, size, "%s", current_format(&copy));
    return length > 0 ? (size_t)length : 0;
}

FL_OMP_API void omp_display_affinity(const char *format) {
    fl_omp_affinity_show(format);
}

FL_OMP_API size_t omp_capture_affinity(char *to, size_t size, const char *format) {
    return capture(to, size, format);
}

/* LLVM's <omp.h> has macros with the names of OpenMP for these. */
FL_OMP_ALIAS(void, ompc_set_affinity_format, (const char *), omp_set_affinity_format);
FL_OMP_ALIAS(size_t, ompc_get_affinity_format, (char *, size_t), omp_get_affinity_format);
FL_OMP_ALIAS(void, ompc_display_affinity, (const char *), omp_display_affinity);
FL_OMP_ALIAS(size_t, ompc_capture_affinity, (char *, size_t, const char *), omp_capture_affinity);

/* ---- Fortran: strings have a length, and trailing blanks ---- */

static struct fl_omp_affinity_format c_text(const char *from, size_t length) {
    struct fl_omp_affinity_format format = {0};
    while (length > 0 && from[length - 1] == ' ') {
        length--;
    }
    length = length < sizeof format.text ? length : sizeof format.text - 1;
    memcpy(format.text, from, length);
    return format;
}

static int32_t give(char *to, size_t size, const char *text, size_t length) {
    size_t n = length < size ? length : size;
    memcpy(to, text, n);
    memset(to + n, ' ', size - n);
    return (int32_t)length;
}

FL_OMP_API void omp_set_affinity_format_(const char *format, size_t length) {
    struct fl_omp_affinity_format copy = c_text(format, length);
    set_format(&copy);
}

FL_OMP_API int32_t omp_get_affinity_format_(char *to, size_t size) {
    struct fl_omp_affinity_format copy;
    const char *format = current_format(&copy);
    return give(to, size, format, strlen(format));
}

FL_OMP_API void omp_display_affinity_(const char *format, size_t length) {
    struct fl_omp_affinity_format copy = c_text(format, length);
    fl_omp_affinity_show(copy.text);
}

FL_OMP_API int32_t omp_capture_affinity_(char *to, const char *format, size_t size,
                                         size_t length) {
    struct fl_omp_affinity_format copy = c_text(format, length);
    char line[sizeof copy.text];
    size_t n = capture(line, sizeof line, copy.text);
    return give(to, size, line, n < sizeof line ? n : sizeof line - 1);
}
