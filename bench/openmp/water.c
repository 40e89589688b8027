/* SPDX-License-Identifier: BSD-3-Clause */
/* water [MOLECULES STEPS]: molecular dynamics (water.h). A thread has a block of neighbours in the
 * array of molecules, which is one array for each of: what all read, what the owner alone uses. */
#include "water.h"

static struct water water;
static long threads;
static struct atoms *positions, *forces;
static struct motion *motions;
/* What each thread has found for molecules of all. */
static struct atoms **found;

static void start(void) {
#pragma omp parallel num_threads(threads)
    found[omp_get_thread_num()] = allocate((size_t)water.n * sizeof(struct atoms));
#pragma omp parallel for schedule(static)
    for (long i = 0; i < water.n; i++) {
        water_place(&water, &positions[i], i);
        memset(&motions[i], 0, sizeof motions[i]);
    }
}

static double predict(void) {
    double energy = 0;
#pragma omp parallel for schedule(static) reduction(+ : energy)
    for (long i = 0; i < water.n; i++) {
        water_predict(&positions[i], &motions[i]);
        energy += water_inside(&positions[i], &forces[i]);
    }
    return energy;
}

/* The forces between molecules, added to those within. Each thread collects what it finds in memory
 * of its own; after a barrier all sum up what was found for their molecules, and begin with
 * different threads. */
static double interact(void) {
    double energy = 0;
#pragma omp parallel num_threads(threads) reduction(+ : energy)
    {
        const long me = omp_get_thread_num();
        const long begin = part_begin(water.n, threads, me);
        const long end = part_begin(water.n, threads, me + 1);
        memset(found[me], 0, (size_t)water.n * sizeof(struct atoms));
        energy = water_pairs(&water, positions, found[me], begin, end);
#pragma omp barrier
        for (long i = 0; i < threads; i++) {
            long other = (me + i) % threads;
            int reaches = water_reaches(&water, threads, other, me);
            for (long j = begin; reaches && j < end; j++) {
                water_add(&forces[j], &found[other][j]);
            }
        }
    }
    return energy;
}

static double correct(void) {
    double energy = 0;
#pragma omp parallel for schedule(static) reduction(+ : energy)
    for (long i = 0; i < water.n; i++) {
        energy += water_correct(&positions[i], &motions[i], &forces[i]);
    }
    return energy / 2;
}

/* Whether the sum of all forces is nothing, and each is the slope of the energy. */
static int are_forces_right(void) {
    const double step = 1e-6;
    double energy[2];
    for (int i = 0; i < WATER_NUMBERS; i++) {
        for (int side = 0; side < 2; side++) {
            positions[0].at[i] += side ? step : -step;
            struct atoms unused[2] = {0};
            energy[side] = water_inside(&positions[0], unused);
            for (long j = 1; j < water.n; j++) {
                energy[side] += water_between(&water, &positions[0], &positions[j], unused,
                                              unused + 1);
            }
            positions[0].at[i] -= side ? step : -step;
        }
        double slope = (energy[1] - energy[0]) / (2 * step);
        if (fabs(slope + forces[0].at[i]) > 1e-3 * (1 + fabs(slope))) {
            return 0;
        }
    }
    double sum = 0;
    for (long i = 0; i < water.n * WATER_NUMBERS; i++) {
        sum += forces[i / WATER_NUMBERS].at[i % WATER_NUMBERS];
    }
    return fabs(sum) < 1e-6 * (double)water.n;
}

int main(int argc, char **argv) {
    water = water_setup(argument(argc, argv, 1, 4096));
    long steps = argument(argc, argv, 2, 4);
    threads = omp_get_max_threads();
    positions = allocate((size_t)water.n * sizeof *positions);
    forces = allocate((size_t)water.n * sizeof *forces);
    motions = allocate((size_t)water.n * sizeof *motions);
    found = allocate((size_t)threads * sizeof *found);
    start();
    double began = bench_now(), sum = 0;
    for (long i = 0; i < steps; i++) {
        double potential = predict();
        potential += interact();
        sum += potential + correct();
    }
    report("water", sum, bench_now() - began);
    int checked = wants_check(argc, argv);
    if (checked) {
        predict();
        interact();
    }
    return conclude(checked, checked && are_forces_right());
}
