// SPDX-License-Identifier: BSD-3-Clause
/*
 * Barriers: the time of one, and with an argument the time of that many.
 *
 *     barrier [barriers-in-all]
 */
#include "bench.h"
#include <upc_relaxed.h>

#define ROUNDS 100

static double many_barriers(long n) {
    upc_barrier;
    double begin = bench_now();
    for (long i = 0; i < n; i++) {
        upc_barrier;
    }
    return bench_now() - begin;
}

/* After a barrier, each thread has seen what the next one wrote before it. */
static void check(void) {
    static shared long episode[THREADS];
    for (long i = 1; i <= ROUNDS; i++) {
        episode[MYTHREAD] = i;
        upc_barrier;
        long other = episode[(MYTHREAD + 1) % THREADS];
        bench_check(other == i, "barrier %ld: the next thread is at %ld", i, other);
        upc_barrier;
    }
}

/* As many barriers as take about 5 ms; the same for all threads. */
static long choose_count(void) {
    static shared long count;
    double trial = many_barriers(1000);
    if (MYTHREAD == 0) {
        count = (long)(0.005 / (trial / 1000)) + 1;
    }
    upc_barrier;
    return count;
}

int main(int argc, char **argv) {
    struct bench_times times = {{0}, 0};
    check();
    if (argc > 1) {
        bench_add(&times, many_barriers(atol(argv[1])));
        if (MYTHREAD == 0) {
            bench_time("barriers", "s", 1, &times);
        }
        return 0;
    }
    long n = choose_count();
    for (int round = 0; round < ROUNDS; round++) {
        bench_add(&times, many_barriers(n) / (double)n);
    }
    if (MYTHREAD == 0) {
        bench_time("barrier", "ns", 1e9, &times);
    }
    return 0;
}
