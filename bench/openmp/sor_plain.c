/* SPDX-License-Identifier: BSD-3-Clause */
/* sor_plain [ROWS COLUMNS ITERATIONS]: red-black SOR (sor.h) as it is written for one machine: static
 * arrays, which main fills; at most 8192 rows of 4096. */
#include "sor.h"

enum { ROWS = 8192, COLUMNS = 4096, HALF = COLUMNS / 2 };

static float grid[2][ROWS][HALF];
static long rows, half;

static void relax(int colour) {
#pragma omp parallel for schedule(static)
    for (long i = 1; i < rows - 1; i++) {
        sor_relax(grid[colour][i], grid[1 - colour][i - 1], grid[1 - colour][i],
                  grid[1 - colour][i + 1], sor_is_odd(colour, i), half);
    }
}

static double sum_of_all(void) {
    double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (long i = 0; i < rows; i++) {
        sum += sor_sum(grid[RED][i], half) + sor_sum(grid[BLACK][i], half);
    }
    return sum;
}

int main(int argc, char **argv) {
    rows = argument(argc, argv, 1, ROWS);
    long columns = argument(argc, argv, 2, COLUMNS), iterations = argument(argc, argv, 3, 20);
    if (rows > ROWS || columns > COLUMNS) {
        fprintf(stderr, "sor_plain: at most %d rows of %d\n", ROWS, COLUMNS);
        return 2;
    }
    half = columns / 2;
    for (int colour = RED; colour <= BLACK; colour++) {
        for (long i = 0; i < rows; i++) {
            sor_fill(grid[colour][i], i == 0 || i == rows - 1, sor_is_odd(colour, i), half);
        }
    }
    double start = bench_now();
    for (long i = 0; i < iterations; i++) {
        relax(RED);
        relax(BLACK);
    }
    double seconds = bench_now() - start, sum = sum_of_all();
    report("sor_plain", sum, seconds);
    int checked = wants_check(argc, argv);
    double right = checked ? sor_sum_by_elements(rows, columns, iterations) : 0;
    return conclude(checked, sum > right * (1 - 1e-12) && sum < right * (1 + 1e-12));
}
