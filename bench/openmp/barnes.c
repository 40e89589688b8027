/* SPDX-License-Identifier: BSD-3-Clause */
/* barnes [BODIES STEPS]: the method of Barnes and Hut (barnes.h). One thread makes the tree; each
 * thread finds its bodies in it, and evaluates the forces on them. */
#include "barnes.h"

static long n;
static struct place *places;
static struct motion *motions;
static int *work;
static struct tree tree;

static void feel(int body) { work[body] = barnes_feel(&tree, places, body, &motions[body]); }

static void move(int body) { barnes_move(&places[body], &motions[body]); }

static void step(void) {
    const int all = barnes_build(&tree, places, work, n);
#pragma omp parallel
    {
        const long me = omp_get_thread_num(), threads = omp_get_num_threads();
        const int from = (int)part_begin(all, threads, me);
        const int to = (int)part_begin(all, threads, me + 1);
        barnes_each(&tree, 1, 0, from, to, feel);
        /* Nobody looks at a body that has moved. */
#pragma omp barrier
        barnes_each(&tree, 1, 0, from, to, move);
    }
}

static double energy(void) {
    double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (long i = 0; i < n; i++) {
        sum += barnes_energy(&places[i], &motions[i]);
    }
    return sum;
}

/* Whether the forces are near those of all pairs, and all bodies have felt them. */
static int are_forces_right(void) {
    double error = 0, length = 0;
    barnes_build(&tree, places, work, n);
    for (int body = 0; body < n; body++) {
        struct motion near, exact = {0};
        struct sight sight = {&tree, places, body, 0, &exact};
        barnes_feel(&tree, places, body, &near);
        for (int other = 0; other < n; other++) {
            barnes_look(&sight, -1 - other, 0);
        }
        for (int k = 0; k < 3; k++) {
            error += fabs(near.acceleration[k] - exact.acceleration[k]);
            length += fabs(exact.acceleration[k]);
        }
        if (motions[body].potential >= 0) {
            return 0;
        }
    }
    return error < 0.02 * length;
}

int main(int argc, char **argv) {
    n = argument(argc, argv, 1, 65536);
    long steps = argument(argc, argv, 2, 3);
    places = allocate((size_t)n * sizeof *places);
    motions = allocate((size_t)n * sizeof *motions);
    work = allocate((size_t)n * sizeof *work);
    tree = barnes_tree(n);
    barnes_start(places, motions, work, n);
    double began = bench_now();
    for (long i = 0; i < steps; i++) {
        step();
    }
    double seconds = bench_now() - began;
    report("barnes", energy(), seconds);
    int checked = wants_check(argc, argv);
    return conclude(checked, checked && are_forces_right());
}
