/* SPDX-License-Identifier: BSD-3-Clause */
/* tsp [CITIES REST]: the travelling salesman (tsp.h). Threads take the most promising tour from a
 * queue, and extend it until at most REST cities are left, whose orders one thread tries. */
#include "tsp.h"

/* What changes is one object: who enters the critical section needs it all. */
static struct {
    int best;
    struct tour shortest;
    struct tour_queue queue;
} *shared;
static struct cities cities;

/* Without synchronisation: an old length, which is longer, costs time, never the result. */
static int best_known(void) { return *(volatile int *)&shared->best; }

static void found(const struct tour *whole, int length) {
#pragma omp critical
    if (length < shared->best) {
        shared->best = length;
        shared->shortest = *whole;
    }
}

/* A thread that finds no tour is done: only who takes one puts others there. */
static void search_all(int rest) {
    const struct search search = {&cities, best_known, found};
    for (int is_left = 1; is_left;) {
        struct tour next;
#pragma omp critical
        is_left = tsp_next(&shared->queue, &cities, rest, shared->best, &next);
        if (is_left) {
            tsp_search(&search, &next);
        }
    }
}

int main(int argc, char **argv) {
    int n = (int)argument(argc, argv, 1, 19), rest = (int)argument(argc, argv, 2, 14);
    tsp_setup(&cities, n);
    shared = allocate(sizeof *shared);
    memset(shared, 0, sizeof *shared);
    struct tour start = tsp_start(&cities);
    tsp_put(&shared->queue, &start, start.bound);
    shared->best = INT_MAX;
    double began = bench_now();
#pragma omp parallel
    search_all(rest);
    report("tsp", shared->best, bench_now() - began);
    int checked = wants_check(argc, argv);
    return conclude(checked, checked && shared->best == tsp_shortest(&cities) &&
                                 tsp_closed(&cities, &shared->shortest) == shared->best);
}
