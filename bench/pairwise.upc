// SPDX-License-Identifier: BSD-3-Clause
/*
 * Threads in a ring that keep pace with their two neighbours (upcx_sync), beside a barrier of all:
 * as fast as they can, and with uneven work between, of 2 us in the mean.
 */
#include "bench.h"
#include <upc_relaxed.h>
#include <upcx_pairwise.h>

#define ROUNDS 100
#define STEPS 100

static int neighbours[2], n_neighbours;

static void with_neighbours(void) {
    upcx_sync(neighbours, n_neighbours);
}

static void with_all(void) {
    upc_barrier;
}

static void work(int step) {
    unsigned random = (step * THREADS + MYTHREAD) * 2654435761u >> 16;
    double end = bench_now() + random % 4000 * 1e-9;
    while (bench_now() < end) {
    }
}

/* A neighbour is at this thread's step, or has passed it and waits in the next one. */
static shared long at_step[THREADS];

static void check(void) {
    upc_barrier;
    for (long step = 1; step <= STEPS; step++) {
        at_step[MYTHREAD] = step;
        with_neighbours();
        for (int i = 0; i < n_neighbours; i++) {
            long other = at_step[neighbours[i]];
            bench_check(other == step || other == step + 1,
                        "neighbours: thread %d is at step %ld, thread %d at %ld", MYTHREAD, step,
                        neighbours[i], other);
        }
    }
    upc_barrier;
}

static double many(void (*sync)(void), int uneven) {
    upc_barrier;
    double begin = bench_now();
    for (int step = 0; step < STEPS; step++) {
        if (uneven) {
            work(step);
        }
        sync();
    }
    upc_barrier;
    return (bench_now() - begin) / STEPS;
}

int main(void) {
    struct bench_times pairwise[2] = {0}, barrier[2] = {0};
    if (THREADS > 1) {
        neighbours[n_neighbours++] = (MYTHREAD + THREADS - 1) % THREADS;
    }
    if (THREADS > 2) {
        neighbours[n_neighbours++] = (MYTHREAD + 1) % THREADS;
    }
    check();
    for (int round = 0; round < ROUNDS; round++) {
        for (int uneven = 0; uneven <= 1; uneven++) {
            bench_add(&barrier[uneven], many(with_all, uneven));
            bench_add(&pairwise[uneven], many(with_neighbours, uneven));
        }
    }
    if (MYTHREAD == 0) {
        bench_time_against("neighbours", "ns", 1e9, &pairwise[0], &barrier[0]);
        bench_time_against("neighbours-uneven", "ns", 1e9, &pairwise[1], &barrier[1]);
    }
    return 0;
}
