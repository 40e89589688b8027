/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * LU, SP and BT by OpenMP: one cube, of whose rows each thread has a part, and in lines along y a part
 * of the planes. In a sweep of LU threads count the planes that they have finished, and wait for the
 * counter of the thread before them.
 */
#ifndef CFD_OMP_H
#define CFD_OMP_H

#include "cfd.h"
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>

/* Planes of sweeps that a thread has finished, in both directions. Each has a cache line. */
struct counter {
    _Alignas(64) atomic_long planes[2];
};

static struct counter *counters;
static struct cfd cube; /* all of it */
static double total[CFD_NORMS];

/* Polls before a wait offers the CPU to others, which may have the thread that it waits for. */
enum { POLLS = 1000 };

static void cfd_join(void) {
#pragma omp barrier
}

static void cfd_meet(const struct cfd *c) {
    (void)c;
#pragma omp barrier
}

static void cfd_exchange(const struct cfd *c) {
    (void)c; /* ghosts are the neighbours' own rows */
#pragma omp barrier
}

/* A sweep's plane is the one that its neighbour has counted last: all sweeps have as many. */
static void cfd_await(const struct cfd *c, long k, int from) {
    const int me = omp_get_thread_num(), other = me + from, up = from > 0;
    (void)c, (void)k;
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

static void cfd_pass(const struct cfd *c, long k, int from) {
    atomic_long *mine = &counters[omp_get_thread_num()].planes[from > 0];
    (void)c, (void)k;
    atomic_store_explicit(mine, atomic_load_explicit(mine, memory_order_relaxed) + 1,
                          memory_order_release);
}

/* Lines along y are whole here. */
static inline void cfd_await_front(const struct cfd *c, long k) { (void)c, (void)k; }
static inline void cfd_pass_front(const struct cfd *c, long k, const double *front) {
    (void)c, (void)k, (void)front;
}

static void cfd_sum(double *values, int n) {
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
static double run(double result[CFD_RESULTS]) {
    const int threads = omp_get_num_threads(), thread = omp_get_thread_num();
    struct cfd c, across = cube;
    if (!cfd_setup(&c, threads, thread)) {
#pragma omp critical
        exit(cfd_refuse(threads)); /* of one thread: the others wait for it */
    }
    c.is_joint = 1;
    if (!cfd_allocate_work(&c)) {
        fprintf(stderr, "npb: no memory\n");
        exit(1);
    }
    const long first = c.begin * CFD_N;
    c.plane = cube.plane;
    c.u = cube.u + 5 * first;
    c.r = cube.r + 5 * first;
    c.force = cube.force + 5 * first;
    c.inverse = cube.inverse + first;
    c.dynamic = cube.dynamic + first;
    across.work = c.work;
    c.across = &across;
    c.across_begin = 1 + npb_begin(CFD_N - 2, threads, thread);
    c.across_end = 1 + npb_begin(CFD_N - 2, threads, thread + 1);
    double seconds = cfd_run(&c, result);
    cfd_free_work(&c);
    return seconds;
}

/* What main does. */
static int cfd_main(void) {
    double result[CFD_RESULTS] = {0}, seconds = 0;
    cfd_setup(&cube, 1, 0);
    cube.u = malloc(cfd_bytes(&cube));
    cube.r = malloc(cfd_bytes(&cube));
    counters = aligned_alloc(sizeof *counters, (size_t)omp_get_max_threads() * sizeof *counters);
    if (!cube.u || !cube.r || !counters || !cfd_allocate(&cube)) {
        fprintf(stderr, "npb: no memory\n");
        return 1;
    }
    for (int t = 0; t < omp_get_max_threads(); t++) {
        counters[t] = (struct counter){{0, 0}};
    }
#pragma omp parallel
    {
        double mine[CFD_RESULTS] = {0}, took = run(mine);
#pragma omp master
        {
            seconds = took;
            for (int i = 0; i < CFD_RESULTS; i++) {
                result[i] = mine[i];
            }
        }
    }
    free(cube.u);
    free(cube.r);
    free(counters);
    cfd_free(&cube);
    return cfd_finish(result, seconds);
}

#endif
