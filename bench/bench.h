/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the measured programs share: a clock, a summary of repeated measurements, and the line
 * of JSON that reports one. Plain C, for .upc and .c files alike; keeps no state.
 *
 * A program measures its reference beside its subject, in turns, because the machine's speed
 * changes from second to second: only neighbours can be compared.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BENCH_MAX_ROUNDS 200

/* Compiled as it stands, without what the compiler knows of its callers: a reference in another
 * file knows nothing of them either. */
#define BENCH_KERNEL __attribute__((noipa))

/* What the compiler knows of a variable's value, and of memory, it forgets: as in a program that has just
 * computed them. */
#define BENCH_FORGET(variable) __asm__ volatile("" : "+r"(variable) : : "memory")

/* Defines `name`_times(n), which calls `name` n times, inlined: a call through a pointer takes as long as
 * the shortest operations. */
#define BENCH_REPEATED(name)                                                                       \
    __attribute__((flatten)) static void name##_times(long n) {                                    \
        for (long i = 0; i < n; i++) {                                                             \
            name();                                                                                \
        }                                                                                          \
    }

/* Ends the program unless what it computed is right: the time of a wrong result is worth nothing.
 * Each program here calls it (`cargo xtask tidy`). A process that ends so ends its job. */
__attribute__((format(printf, 2, 3))) static inline void bench_check(int is_right,
                                                                     const char *format, ...) {
    if (!is_right) {
        va_list values;
        va_start(values, format);
        fflush(stdout);
        fputs("wrong result: ", stderr);
        vfprintf(stderr, format, values);
        fputc('\n', stderr);
        va_end(values);
        exit(1);
    }
}

/* Times, in seconds for one operation. Many short rounds: some fall into quiet moments. */
struct bench_times {
    double seconds[BENCH_MAX_ROUNDS];
    int n;
};

static inline double bench_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline void bench_add(struct bench_times *times, double seconds) {
    if (times->n < BENCH_MAX_ROUNDS) {
        times->seconds[times->n++] = seconds;
    }
}

static inline int bench_ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double bench_best(struct bench_times *times) {
    qsort(times->seconds, (size_t)times->n, sizeof times->seconds[0], bench_ascending);
    return times->seconds[0];
}

static inline double bench_median(struct bench_times *times) {
    qsort(times->seconds, (size_t)times->n, sizeof times->seconds[0], bench_ascending);
    return times->seconds[times->n / 2];
}

/* Prints a rate, `units` of work for each operation: more is better, as in GB/s. The ratio is
 * that of the best rounds; `reference` may be null. */
static inline void bench_rate(const char *name, const char *unit, double units,
                              struct bench_times *times, struct bench_times *reference) {
    double best = units / bench_best(times);
    printf("{\"name\": \"%s\", \"unit\": \"%s\", \"value\": %.6g, \"median\": %.6g", name, unit,
           best, units / bench_median(times));
    if (reference) {
        double floor = units / bench_best(reference);
        printf(", \"reference_value\": %.6g, \"reference_median\": %.6g, \"ratio\": %.4f", floor,
               units / bench_median(reference), best / floor);
    }
    printf("}\n");
    fflush(stdout);
}

/* Prints a time, `scale` being 1e9 for ns: less is better. `reference` may be null; the ratio
 * is that of the best rounds. */
static inline void bench_time_against(const char *name, const char *unit, double scale,
                                      struct bench_times *times, struct bench_times *reference) {
    printf("{\"name\": \"%s\", \"unit\": \"%s\", \"value\": %.6g, \"median\": %.6g", name, unit,
           scale * bench_best(times), scale * bench_median(times));
    if (reference) {
        printf(", \"reference_value\": %.6g, \"reference_median\": %.6g, \"ratio\": %.4f",
               scale * bench_best(reference), scale * bench_median(reference),
               bench_best(times) / bench_best(reference));
    }
    printf("}\n");
    fflush(stdout);
}

/* Prints a point of a figure: the best round of `series` at x, less being better. */
static inline void bench_point(const char *figure, const char *series, double x, const char *unit,
                               double scale, struct bench_times *times) {
    printf("{\"figure\": \"%s\", \"series\": \"%s\", \"x\": %.6g, \"unit\": \"%s\", "
           "\"value\": %.6g}\n",
           figure, series, x, unit, scale * bench_best(times));
    fflush(stdout);
}

/* The same of a rate, of which more is better. */
static inline void bench_point_rate(const char *figure, const char *series, double x,
                                    const char *unit, double units, struct bench_times *times) {
    printf("{\"figure\": \"%s\", \"series\": \"%s\", \"x\": %.6g, \"unit\": \"%s\", "
           "\"value\": %.6g}\n",
           figure, series, x, unit, units / bench_best(times));
    fflush(stdout);
}

/* Prints a cell of a matrix: what thread `row` measures of thread `column`. */
static inline void bench_cell(const char *figure, int row, int column, const char *unit,
                              double scale, struct bench_times *times) {
    printf("{\"figure\": \"%s\", \"row\": %d, \"column\": %d, \"unit\": \"%s\", "
           "\"value\": %.6g}\n",
           figure, row, column, unit, scale * bench_best(times));
    fflush(stdout);
}

static inline void bench_time(const char *name, const char *unit, double scale,
                              struct bench_times *times) {
    bench_time_against(name, unit, scale, times, NULL);
}

#endif
