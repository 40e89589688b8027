// SPDX-License-Identifier: BSD-3-Clause
/*
 * Apex-Map's kernel with 0, 1, 2 or all 11 of its variables at file scope, where each thread
 * has its own: what does thread-local data cost? After section 5 of J. Duell, "Pthreads or
 * Processes: Which is Better for Implementing Global Address Space languages?".
 *
 * Compile with -DGLOBALS=0, 1, 2 or 11; run as pthreads and as processes, and compare. Every
 * thread works in memory of its own; thread 0 reports itself.
 */
#include "bench.h"
#include <math.h>
#include <upc_relaxed.h>

#define M (1 << 18) /* doubles */
#define L 1024
#define ALPHA 0.01
#define HOPS 1024
#define ROUNDS 150

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

static long hops[HOPS];

static void choose_hops(void) {
    unsigned long state = 88172645463325252u + (unsigned long)MYTHREAD;
    for (int i = 0; i < HOPS; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        double fraction = (double)(state >> 11) / 9007199254740992.0;
        hops[i] = (long)(pow(fraction, 1 / ALPHA) * (M / L)) * L;
    }
}

BENCH_KERNEL static double kernel(double *memory, double factor) {
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
        for (k = 0; k < L; k++) {
            res0 += c * array[pos0 + k];
            res1 += c * array[pos1 + k];
            res2 += c * array[pos2 + k];
            res3 += c * array[pos3 + k];
        }
    }
    return res0 + res1 + res2 + res3;
}

int main(void) {
    struct bench_times times = {{0}, 0};
    double *memory = malloc(M * sizeof(double));
    for (long i = 0; i < M; i++) {
        memory[i] = 1;
    }
    choose_hops();
    upc_barrier;
    for (int round = 0; round < ROUNDS; round++) {
        double begin = bench_now();
        double sum = kernel(memory, 0.5);
        bench_add(&times, bench_now() - begin);
        bench_check(sum == 0.5 * L * HOPS, "apex: the sum is %g", sum);
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        bench_rate(VARIANT(GLOBALS), "GF/s", 2e-9 * L * HOPS, &times, NULL);
    }
    free(memory);
    return 0;
}
