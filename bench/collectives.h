/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How collective operations are measured, whoever performs them: collectives.upc and
 * collectives_mpi.c bring the operations.
 *
 *     collectives latency[=ROUNDS] OPERATION:BYTES...
 *     collectives figure OPERATION:BYTES...
 *     collectives testbed SKEW OPERATION:BYTES:COMPUTATION...
 *
 * OPERATION is `broadcast`, say, for all ways to do it, or `broadcast-nosync`; BYTES a multiple of 8.
 * Before each way is measured, its result is checked.
 *
 * `latency` repeats an operation and nothing else, and says the time of one; `figure` does so as a
 * point of a figure over the sizes.
 *
 * `testbed` is the one of Dhamne and Seidel (Implementing UPC's MYSYNC Synchronization Mode Using
 * Pairwise Synchronization of Threads, chapter 6): trials of some private computation and a
 * collective, no barrier between. The collective time of a trial is that of the thread in which it
 * is longest, and of all, the mean; the overall time that until the last thread is through, for
 * each trial. The computation takes COMPUTATION ns or, if that is 0, twice as long as the collective
 * in the slowest way by itself; and up to SKEW times as long again, at random, so that threads
 * arrive at different times.
 */
#ifndef COLLECTIVES_H
#define COLLECTIVES_H

#include "bench.h"
#include <stdint.h>
#include <string.h>

enum { ROUNDS = 60, FIGURE_ROUNDS = 10, WARM_UP = 20, MOST_TRIALS = 100, LEAST_TRIALS = 10 };
enum { SHORT_ROUNDS = 8, SHORT_REPEATS = 5 };

/* What each thread has of the source of an operation, and of its target; all threads together have a
 * table of so much. */
static inline size_t collectives_row(int threads) {
    return ((size_t)64 << 20) / (size_t)threads;
}

/* What trials of one way may take, about. */
static const double budget_seconds = 0.3;

/* A way to do an operation. One whose name is empty is the only one. */
struct way {
    const char *operation, *name;
    void (*run)(size_t bytes);
    int on_request; /* only if it is named */
    int in_place;   /* what comes is where the source was */
};

/* How the threads of a program speak about times. */
struct crew {
    int me, threads;
    const struct way *ways;
    int n_ways;
    void (*barrier)(void);
    /* This thread's part of the source and of the target. */
    double *source, *target;
    /* To each thread the largest of each of the values that all threads have. */
    void (*largest)(double *values, int n);
};

struct point {
    char operation[32];
    size_t bytes;
    double computation;
};

static inline int collectives_means(const struct point *point, const struct way *way) {
    size_t length = strlen(way->operation);
    const char *rest = point->operation + length;
    return strncmp(point->operation, way->operation, length) == 0 &&
           ((*rest == '\0' && !way->on_request) ||
            (*rest == '-' && strcmp(rest + 1, way->name) == 0));
}

/* ---- what an operation must leave, of words that are whole numbers ---- */

static inline double collectives_word(int thread, size_t i) {
    return (double)((size_t)thread * 1000 + i % 997);
}

/* The sum of the first n words of a thread. */
static inline double collectives_sum(int thread, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += collectives_word(thread, i);
    }
    return sum;
}

/* What is in word i of thread `me`'s target, of blocks of n words; less than 0: anything. */
static inline double collectives_expected(const struct crew *crew, const char *operation, size_t n,
                                          size_t i) {
    const int me = crew->me, threads = crew->threads, is_vector = operation[0] == 'v';
    const int is_all = strstr(operation, "_all") != NULL, other = (int)(i / n);
    double sum = 0;
    if (strncmp(operation, "allv", 4) == 0) {
        return -1; /* collectives_value */
    }
    if (strstr(operation, "reduce")) {
        if (strcmp(operation, "prefix_reduce") == 0) {
            for (int t = 0; t < me; t++) {
                sum += collectives_sum(t, n);
            }
            return i < n ? sum + collectives_sum(me, i + 1) : -1;
        }
        for (int t = 0; t < threads; t++) {
            sum += is_vector ? collectives_word(t, i) : i == 0 ? collectives_sum(t, n) : 0;
        }
        return i < (is_vector ? n : 1) && (is_all || me == 0) ? sum : -1;
    }
    if (strcmp(operation, "gather") == 0 || strcmp(operation, "gather_all") == 0) {
        return is_all || me == 0 ? collectives_word(other, i % n) : -1;
    }
    if (strcmp(operation, "exchange") == 0) {
        return collectives_word(other, (size_t)me * n + i % n);
    }
    if (i >= n) {
        return -1;
    }
    return strcmp(operation, "broadcast") == 0 ? collectives_word(0, i)
           : strcmp(operation, "scatter") == 0 ? collectives_word(0, (size_t)me * n + i)
           : strcmp(operation, "permute") == 0 ? collectives_word((me + threads - 1) % threads, i)
           : strcmp(operation, "copy") == 0    ? collectives_word(me, i)
                                               : -1;
}

/* A value that each thread has, reduced by collectives.upc and collectives_mpi.c. */
static double collectives_value;

static inline void collectives_check(const struct crew *crew, const struct way *way,
                                     size_t bytes) {
    const size_t n = bytes / sizeof(double), all = n * (size_t)crew->threads;
    bench_check(bytes % sizeof(double) == 0, "%s: %zu bytes are not whole words", way->operation,
                bytes);
    crew->barrier();
    for (size_t i = 0; i < all; i++) {
        crew->source[i] = collectives_word(crew->me, i);
        crew->target[i] = -1;
    }
    crew->barrier();
    way->run(bytes);
    crew->barrier();
    const double *target = way->in_place ? crew->source : crew->target;
    for (size_t i = 0; i < all; i++) {
        double expected = collectives_expected(crew, way->operation, n, i);
        bench_check(expected < 0 || target[i] == expected,
                    "%s-%s of %zu bytes: thread %d has %g in word %zu, not %g", way->operation,
                    way->name, bytes, crew->me, target[i], i, expected);
    }
    bench_check(strcmp(way->operation, "allv-reduce-all") != 0 ||
                    collectives_value == (double)bytes + crew->threads - 1,
                "%s: %g", way->operation, collectives_value);
    crew->barrier();
}

static inline double collectives_largest(const struct crew *crew, double value) {
    crew->largest(&value, 1);
    return value;
}

/* Private computation, of so many steps that depend on each other. */
static inline void collectives_compute(uint64_t steps) {
    uint64_t x = steps;
    for (uint64_t i = 0; i < steps; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        __asm__ volatile("" : "+r"(x));
    }
}

static inline double collectives_steps_per_second(const struct crew *crew) {
    double best = 0;
    for (int i = 0; i < 50; i++) {
        double begin = bench_now();
        collectives_compute(20000);
        double rate = 20000 / (bench_now() - begin);
        best = rate > best ? rate : best;
    }
    return collectives_largest(crew, best);
}

static inline double collectives_repeat(const struct crew *crew, const struct way *way,
                                        size_t bytes, long n) {
    crew->barrier();
    double begin = bench_now();
    for (long i = 0; i < n; i++) {
        way->run(bytes);
    }
    return (bench_now() - begin) / (double)n;
}

static inline void collectives_latency(const struct crew *crew, const struct way *way,
                                       const struct point *point, int rounds,
                                       int is_figure) {
    struct bench_times times = {{0}, 0};
    collectives_check(crew, way, point->bytes);
    double trial = collectives_largest(crew, collectives_repeat(crew, way, point->bytes, WARM_UP));
    long n = (long)(0.002 / trial) + 1;
    for (int round = 0; round < rounds; round++) {
        double time = collectives_repeat(crew, way, point->bytes, n);
        bench_add(&times, collectives_largest(crew, time));
    }
    if (crew->me == 0 && is_figure) {
        char figure[80];
        snprintf(figure, sizeof figure, "collective-%s", way->operation);
        bench_point(figure, way->name, (double)point->bytes, "us", 1e6, &times);
    } else if (crew->me == 0) {
        char name[80];
        int whole = point->bytes % (1 << 20) == 0 ? 20 : point->bytes % (1 << 10) == 0 ? 10 : 0;
        snprintf(name, sizeof name, "%s-%zu%s%s%s", way->operation, point->bytes >> whole,
                 whole == 20 ? "M" : whole == 10 ? "K" : "", *way->name ? "-" : "", way->name);
        bench_time(name, "ns", 1e9, &times);
    }
}

/* 0 to 1: the same for all ways, different for each thread and trial. */
static inline double collectives_chance(int thread, int trial) {
    uint64_t h = ((uint64_t)thread << 32 | (uint64_t)trial) * 0x9E3779B97F4A7C15u;
    h = (h ^ h >> 31) * 0xBF58476D1CE4E5B9u;
    return (double)(h >> 40) / (double)(1 << 24);
}

/* The testbed's trials for one way of an operation. */
static inline void collectives_trials(const struct crew *crew, const struct way *way,
                                      const struct point *point, double skew, double rate,
                                      int trials) {
    double times[MOST_TRIALS];
    collectives_check(crew, way, point->bytes);
    double steps = point->computation * 1e-9 * rate;
    crew->barrier();
    double start = bench_now();
    for (int i = 0; i < trials; i++) {
        collectives_compute((uint64_t)(steps * (1 + skew * collectives_chance(crew->me, i))));
        double begin = bench_now();
        way->run(point->bytes);
        times[i] = bench_now() - begin;
    }
    double overall = collectives_largest(crew, bench_now() - start) / trials, collective = 0;
    crew->largest(times, trials);
    for (int i = 0; i < trials; i++) {
        collective += times[i] / trials;
    }
    if (crew->me == 0) {
        printf("{\"operation\": \"%s\", \"bytes\": %zu, \"way\": \"%s\", \"threads\": %d, "
               "\"skew\": %g, \"computation\": %.6g, \"collective\": %.6g, \"overall\": %.6g}\n",
               point->operation, point->bytes, way->name, crew->threads, skew, point->computation,
               1e9 * collective, 1e9 * overall);
        fflush(stdout);
    }
}

/* Seconds of an operation by itself: the least of short rounds, since the computation of all trials is
 * made from it, and a machine that is shared for a moment would make them a hundred times as long. */
static inline double collectives_undisturbed(const struct crew *crew, const struct way *way,
                                             size_t bytes) {
    struct bench_times times = {{0}, 0};
    for (int round = 0; round < SHORT_ROUNDS; round++) {
        double time = collectives_repeat(crew, way, bytes, SHORT_REPEATS);
        bench_add(&times, collectives_largest(crew, time));
    }
    return bench_best(&times);
}

static inline void collectives_testbed(const struct crew *crew, struct point point, double skew,
                                       double rate) {
    double slowest = 0;
    for (int i = 0; i < crew->n_ways; i++) {
        if (collectives_means(&point, &crew->ways[i])) {
            double time = collectives_undisturbed(crew, &crew->ways[i], point.bytes);
            slowest = time > slowest ? time : slowest;
        }
    }
    if (point.computation == 0) {
        point.computation = 2e9 * slowest;
    }
    double trial = slowest + 1e-9 * point.computation * (1 + skew);
    int trials = budget_seconds / trial < MOST_TRIALS ? (int)(budget_seconds / trial) : MOST_TRIALS;
    trials = trials < LEAST_TRIALS ? LEAST_TRIALS : trials;
    for (int i = 0; i < crew->n_ways; i++) {
        if (collectives_means(&point, &crew->ways[i])) {
            collectives_trials(crew, &crew->ways[i], &point, skew, rate, trials);
        }
    }
}

static inline int collectives_main(const struct crew *crew, int argc, char **argv) {
    int is_testbed = argc > 2 && strcmp(argv[1], "testbed") == 0;
    double skew = is_testbed ? atof(argv[2]) : 0;
    int is_figure = argc > 1 && strcmp(argv[1], "figure") == 0;
    const char *equals = argc > 1 ? strchr(argv[1], '=') : NULL;
    int rounds = equals ? atoi(equals + 1) : ROUNDS;
    double rate = is_testbed ? collectives_steps_per_second(crew) : 0;
    for (int i = is_testbed ? 3 : 2; i < argc; i++) {
        struct point point = {"", 8, 0};
        sscanf(argv[i], "%31[^:]:%zu:%lf", point.operation, &point.bytes, &point.computation);
        if (point.bytes * (size_t)crew->threads > collectives_row(crew->threads)) {
            continue; /* too large for so many threads */
        }
        if (is_testbed) {
            collectives_testbed(crew, point, skew, rate);
            continue;
        }
        for (int k = 0; k < crew->n_ways; k++) {
            if (collectives_means(&point, &crew->ways[k])) {
                collectives_latency(crew, &crew->ways[k], &point, is_figure ? FIGURE_ROUNDS : rounds,
                                    is_figure);
            }
        }
    }
    return 0;
}

#endif
