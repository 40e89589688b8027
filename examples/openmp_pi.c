/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pi by OpenMP, on one host or several: each thread integrates a part of 4 / (1 + x * x) from
 * 0 to 1, and the reduction adds the parts up.
 *
 *     ompcc -O2 openmp_pi.c -o openmp_pi
 *     omprun -t 2 -virtual-hosts 2 ./openmp_pi
 */
#include <math.h>
#include <omp.h>
#include <stdio.h>

int main(void) {
    const int steps = 4000000;
    int threads = 1;
    double pi = 0;
#pragma omp parallel for reduction(+ : pi)
    for (int i = 0; i < steps; i++) {
        double x = (i + 0.5) / steps;
        pi += 4 / (1 + x * x) / steps;
        if (i == 0) {
            threads = omp_get_num_threads();
        }
    }
    printf("%d threads: pi is %.8f\n", threads, pi);
    return fabs(pi - 3.14159265) > 1e-8;
}
