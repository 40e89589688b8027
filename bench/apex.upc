// SPDX-License-Identifier: BSD-3-Clause
/*
 * Apex-Map's kernel with 0, 1, 2 or all 11 of its variables at file scope, where each thread
 * has its own: what does thread-local data cost? After section 5 of J. Duell, "Pthreads or
 * Processes: Which is Better for Implementing Global Address Space languages?".
 *
 * Compile with -DGLOBALS=0, 1, 2 or 11; run as pthreads and as processes, and compare. Every
 * thread works in memory of its own; thread 0 reports itself.
 *
 *     apex [MEGABYTES [all]]
 *
 * Vectors of L doubles are summed at positions that a power function chooses: spatial locality is L,
 * temporal locality ALPHA, from 1 (anywhere) to nearly 0 (always the beginning). Some of both, and
 * with `all` the paper's range. The memory of a thread is 16 MB, where the paper has 128.
 */
#include "bench.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <upc_relaxed.h>

enum { HOPS = 1024, ROUNDS = 60, WORK = 1 << 18 /* additions in a round, at least */ };

#if GLOBALS == 11
double *array;
double c;
double res0, res1, res2, res3;
long pos0, pos1, pos2, pos3;
long k;
#elif GLOBALS == 2
double *array;
double c;
#elif GLOBALS == 1
double *array;
#endif

#define NAME(n) "apex-" #n
#define VARIANT(n) NAME(n)

static long doubles = 1 << 21; /* of each thread */
static long hops[HOPS];

static void choose_hops(double alpha, long length) {
    static unsigned long state;
    state = state ? state : 88172645463325252u + (unsigned long)MYTHREAD;
    for (int i = 0; i < HOPS; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        double fraction = (double)(state >> 11) / 9007199254740992.0;
        hops[i] = (long)(pow(fraction, 1 / alpha) * (double)(doubles / length)) * length;
    }
}

BENCH_KERNEL static double kernel(double *memory, double factor, long length) {
#if GLOBALS < 11
    double res0, res1, res2, res3;
    long pos0, pos1, pos2, pos3;
    long k;
#endif
#if GLOBALS < 2
    double c;
#endif
#if GLOBALS < 1
    double *array;
#endif
    array = memory;
    c = factor;
    res0 = res1 = res2 = res3 = 0;
    for (int i = 0; i < HOPS; i += 4) {
        pos0 = hops[i];
        pos1 = hops[i + 1];
        pos2 = hops[i + 2];
        pos3 = hops[i + 3];
        for (k = 0; k < length; k++) {
            res0 += c * array[pos0 + k];
            res1 += c * array[pos1 + k];
            res2 += c * array[pos2 + k];
            res3 += c * array[pos3 + k];
        }
    }
    return res0 + res1 + res2 + res3;
}

/* The sum of the last hops, by another loop; halves are exact. */
static double expected(const double *memory, double factor, long length) {
    double sum = 0;
    for (int i = 0; i < HOPS; i++) {
        for (long n = hops[i]; n < hops[i] + length; n++) {
            sum += factor * memory[n];
        }
    }
    return sum;
}

/* Positions are chosen anew each time, without being timed: what was read is not read again. */
static void measure(double *memory, double alpha, long length, struct bench_times *times) {
    double sum = 0;
    const long turns = WORK / (HOPS * length) + 1;
    for (int round = 0; round < ROUNDS / turns + 3; round++) {
        double seconds = 0;
        for (long turn = 0; turn < turns; turn++) {
            choose_hops(alpha, length);
            double begin = bench_now();
            sum = kernel(memory, 0.5, length);
            seconds += bench_now() - begin;
        }
        bench_add(times, seconds / (double)(turns * length * HOPS));
    }
    double right = expected(memory, 0.5, length);
    bench_check(sum == right, "apex: of L %ld and alpha %g the sum is %g, not %g", length, alpha,
                sum, right);
}

static void sweep(double *memory, bool all) {
    static const double alphas[] = {0.001, 0.01, 0.1, 0.5, 1};
    static const char *const series[] = {"alpha 0.001", "alpha 0.01", "alpha 0.1", "alpha 0.5",
                                         "alpha 1"};
    for (int a = 0; a < 5; a += all ? 1 : 2) {
        for (long length = 1; length <= (all ? 65536 : 4096); length *= all ? 4 : 16) {
            struct bench_times times = {{0}, 0};
            upc_barrier;
            measure(memory, alphas[a], length, &times);
            if (MYTHREAD == 0) {
                bench_point_rate(VARIANT(GLOBALS), series[a], (double)length, "MF/s", 2e-6, &times);
            }
        }
    }
}

int main(int argc, char **argv) {
    struct bench_times times = {{0}, 0};
    doubles = argc > 1 ? atol(argv[1]) << 17 : doubles;
    double *memory = malloc((size_t)doubles * sizeof(double));
    bench_check(memory != NULL, "apex: no memory for %ld doubles", doubles);
    for (long i = 0; i < doubles; i++) {
        memory[i] = (double)(i / 8 % 16);
    }
    upc_barrier;
    measure(memory, 0.01, 1024, &times);
    upc_barrier;
    if (MYTHREAD == 0) {
        bench_rate(VARIANT(GLOBALS), "GF/s", 2e-9, &times, NULL);
    }
    sweep(memory, argc > 2 && strcmp(argv[2], "all") == 0);
    upc_barrier;
    free(memory);
    return 0;
}
