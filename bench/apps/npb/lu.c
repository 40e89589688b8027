/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * LU by OpenMP: one cube, of whose rows each thread has a part. In a sweep threads count the planes
 * that they have finished, and wait for the counter of the thread before them.
 */
#include "lu.h"
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>

/* Planes of sweeps that a thread has finished, in both directions. Each has a cache line. */
struct counter {
    _Alignas(64) atomic_long planes[2];
};

static struct counter *counters;
static double *solution, *right;
static double total[10];

/* Polls before a wait offers the CPU to others, which may have the thread that it waits for. */
enum { POLLS = 1000 };

static void lu_meet(const struct lu *l) {
    (void)l;
#pragma omp barrier
}

static void lu_exchange(const struct lu *l) {
    (void)l; /* ghosts are the neighbours' own rows */
#pragma omp barrier
}

/* A sweep's plane is the one that its neighbour has counted last: all sweeps have as many. */
static void lu_await(const struct lu *l, long k, int from) {
    const int me = omp_get_thread_num(), other = me + from, up = from > 0;
    (void)l, (void)k;
    if (other < 0 || other >= omp_get_num_threads()) {
        return;
    }
    long wanted = atomic_load_explicit(&counters[me].planes[up], memory_order_relaxed) + 1;
    for (int poll = 1;
         atomic_load_explicit(&counters[other].planes[up], memory_order_acquire) < wanted; poll++) {
        if (poll % POLLS == 0) {
            sched_yield();
        }
    }
}

static void lu_pass(const struct lu *l, long k, int from) {
    atomic_long *mine = &counters[omp_get_thread_num()].planes[from > 0];
    (void)l, (void)k;
    atomic_store_explicit(mine, atomic_load_explicit(mine, memory_order_relaxed) + 1,
                          memory_order_release);
}

static void lu_sum(double *values, int n) {
#pragma omp single
    for (int i = 0; i < n; i++) {
        total[i] = 0;
    }
#pragma omp critical
    for (int i = 0; i < n; i++) {
        total[i] += values[i];
    }
#pragma omp barrier
    for (int i = 0; i < n; i++) {
        values[i] = total[i];
    }
#pragma omp barrier
}

/* A thread's share of the one cube. Returns the seconds. */
static double run(double result[11]) {
    struct lu l;
    if (!lu_setup(&l, omp_get_num_threads(), omp_get_thread_num()) || !lu_allocate(&l)) {
        fprintf(stderr, "npb: lu has too many threads, or no memory\n");
        exit(2);
    }
    l.plane = (LU_N + 2 * LU_GHOSTS) * LU_ROW;
    l.u = solution + l.begin * LU_ROW;
    l.r = right + l.begin * LU_ROW;
    double seconds = lu_run(&l, result);
    lu_free(&l);
    return seconds;
}

int main(void) {
    const size_t points = (size_t)LU_N * (LU_N + 2 * LU_GHOSTS) * LU_ROW;
    double result[11] = {0}, seconds = 0;
    solution = malloc(points * sizeof *solution);
    right = malloc(points * sizeof *right);
    counters = aligned_alloc(sizeof *counters, (size_t)omp_get_max_threads() * sizeof *counters);
    if (!solution || !right || !counters) {
        fprintf(stderr, "npb: no memory for %zu numbers\n", points);
        return 1;
    }
    for (int t = 0; t < omp_get_max_threads(); t++) {
        counters[t] = (struct counter){{0, 0}};
    }
#pragma omp parallel
    {
        double mine[11] = {0}, took = run(mine);
#pragma omp master
        {
            seconds = took;
            for (int i = 0; i < 11; i++) {
                result[i] = mine[i];
            }
        }
    }
    free(solution);
    free(right);
    free(counters);
    return lu_finish(result, seconds);
}
