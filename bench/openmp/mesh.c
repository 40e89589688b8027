/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mesh [EDGE] [STEPS]: a mesh of EDGE x EDGE x EDGE elements between nodes, as explicit
 * hydrodynamics has it: each step has 29 short regions, some of which gather what other threads
 * have written, by index arrays, and a reduction for the length of the next step.
 */
#include "program.h"
#include <math.h>

enum { CORNERS = 8, SUBSTEPS = 8 };

static long elements, nodes;
static int *corner;            /* [element * CORNERS]: nodes */
static int *first, *corner_of; /* [node]: where its corners, of all its elements, begin */
static double *position, *force, *speed;                    /* of nodes */
static double *energy, *viscosity, *pressure, *corner_force; /* of elements */

static void connect(long edge) {
    for (long e = 0; e < elements; e++) {
        long x = e % edge, y = e / edge % edge, z = e / edge / edge;
        for (int c = 0; c < CORNERS; c++) {
            corner[e * CORNERS + c] =
                (int)(((z + (c >> 2 & 1)) * (edge + 1) + y + (c >> 1 & 1)) * (edge + 1) + x + (c & 1));
        }
    }
    for (long i = 0; i < elements * CORNERS; i++) {
        first[corner[i] + 1]++;
    }
    for (long n = 0; n < nodes; n++) {
        first[n + 1] += first[n];
    }
    for (long i = elements * CORNERS - 1; i >= 0; i--) {
        corner_of[--first[corner[i] + 1]] = (int)i;
    }
    memmove(first, first + 1, (size_t)nodes * sizeof *first);
    first[nodes] = (int)(elements * CORNERS);
}

static void *zeros(long n, size_t size) {
    return memset(allocate((size_t)n * size), 0, (size_t)n * size);
}

static void start(long edge) {
    elements = edge * edge * edge;
    nodes = (edge + 1) * (edge + 1) * (edge + 1);
    corner = zeros(elements * CORNERS, sizeof *corner);
    corner_of = zeros(elements * CORNERS, sizeof *corner_of);
    first = zeros(nodes + 2, sizeof *first);
    position = zeros(nodes, sizeof *position);
    force = zeros(nodes, sizeof *force);
    speed = zeros(nodes, sizeof *speed);
    energy = zeros(elements, sizeof *energy);
    viscosity = zeros(elements, sizeof *viscosity);
    pressure = zeros(elements, sizeof *pressure);
    corner_force = zeros(elements * CORNERS, sizeof *corner_force);
    connect(edge);
    for (long n = 0; n < nodes; n++) {
        position[n] = 1 + random_at((uint64_t)n);
    }
}

static double sum_at_corners(const double *of_nodes, long e) {
    double sum = 0;
    for (int c = 0; c < CORNERS; c++) {
        sum += of_nodes[corner[e * CORNERS + c]];
    }
    return sum;
}

static void move_nodes(double dt) {
#pragma omp parallel for
    for (long e = 0; e < elements; e++) {
        double mean = sum_at_corners(position, e) / CORNERS;
        for (int c = 0; c < CORNERS; c++) {
            corner_force[e * CORNERS + c] =
                (mean - position[corner[e * CORNERS + c]]) * (1 + energy[e]);
        }
    }
#pragma omp parallel for
    for (long n = 0; n < nodes; n++) {
        force[n] = 0;
        for (int i = first[n]; i < first[n + 1]; i++) {
            force[n] += corner_force[corner_of[i]];
        }
    }
#pragma omp parallel for
    for (long n = 0; n < nodes; n++) {
        speed[n] += force[n] * dt;
    }
#pragma omp parallel for
    for (long n = 0; n < nodes; n++) {
        position[n] += speed[n] * dt;
    }
}

static void change_elements(double dt) {
#pragma omp parallel for
    for (long e = 0; e < elements; e++) {
        double sum = sum_at_corners(speed, e);
        viscosity[e] = 0.1 * sum * sum;
    }
#pragma omp parallel for
    for (long e = 0; e < elements; e++) {
        pressure[e] = sqrt(energy[e] * energy[e] + viscosity[e]);
    }
#pragma omp parallel for
    for (long e = 0; e < elements; e++) {
        energy[e] += dt * (pressure[e] - viscosity[e]);
    }
}

static double next_dt(void) {
    double least = 1;
#pragma omp parallel for reduction(min : least)
    for (long e = 0; e < elements; e++) {
        double limit = 1 / (1 + pressure[e]);
        least = limit < least ? limit : least;
    }
    return 1e-3 * least;
}

static void step(long steps) {
    double dt = 1e-3;
    for (long s = 0; s < steps; s++) {
        move_nodes(dt);
        for (int i = 0; i < SUBSTEPS; i++) {
            change_elements(dt);
        }
        dt = next_dt();
    }
}

static double value(void) {
    double sum = 0;
    for (long n = 0; n < nodes; n++) {
        sum += position[n] * random_at((uint64_t)n);
    }
    return sum;
}

/* Forces between the nodes of an element cancel. */
static int momentum_is_kept(void) {
    double sum = 0, all = 0;
    for (long n = 0; n < nodes; n++) {
        sum += speed[n];
        all += fabs(speed[n]);
    }
    return all > 0 && fabs(sum) < 1e-9 * all;
}

int main(int argc, char **argv) {
    start(argument(argc, argv, 1, 16));
    double began = bench_now();
    step(argument(argc, argv, 2, 60));
    double seconds = bench_now() - began;
    bench_check(momentum_is_kept(), "the sum of all speeds is not 0");
    report("mesh", value(), seconds);
    return 0;
}
