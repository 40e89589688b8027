/* SPDX-License-Identifier: BSD-3-Clause */
/* sor [ROWS COLUMNS ITERATIONS]: red-black SOR (sor.h), each thread some neighbouring rows. */
#include "sor.h"

static long rows, half;
static float *grid[2];

static float *row_of(int colour, long i) { return grid[colour] + i * half; }

static void fill(void) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < rows; i++) {
        for (int colour = RED; colour <= BLACK; colour++) {
            int is_edge = i == 0 || i == rows - 1;
            sor_fill(row_of(colour, i), is_edge, sor_is_odd(colour, i), half);
        }
    }
}

static void relax(int colour) {
    int other = 1 - colour;
    /* Over all rows, that each stays with the thread that filled it. */
#pragma omp parallel for schedule(static)
    for (long i = 0; i < rows; i++) {
        if (i > 0 && i < rows - 1) {
            sor_relax(row_of(colour, i), row_of(other, i - 1), row_of(other, i),
                      row_of(other, i + 1), sor_is_odd(colour, i), half);
        }
    }
}

static double sum_of_all(void) {
    double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (long i = 0; i < rows; i++) {
        sum += sor_sum(row_of(RED, i), half) + sor_sum(row_of(BLACK, i), half);
    }
    return sum;
}

int main(int argc, char **argv) {
    rows = argument(argc, argv, 1, 8192);
    long columns = argument(argc, argv, 2, 4096), iterations = argument(argc, argv, 3, 20);
    half = columns / 2;
    for (int colour = RED; colour <= BLACK; colour++) {
        grid[colour] = allocate((size_t)(rows * half) * sizeof(float));
    }
    fill();
    double start = bench_now();
    for (long i = 0; i < iterations; i++) {
        relax(RED);
        relax(BLACK);
    }
    double seconds = bench_now() - start, sum = sum_of_all();
    report("sor", sum, seconds);
    int checked = wants_check(argc, argv);
    double right = checked ? sor_sum_by_elements(rows, columns, iterations) : 0;
    return conclude(checked, sum > right * (1 - 1e-12) && sum < right * (1 + 1e-12));
}
