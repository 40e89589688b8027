/* SPDX-License-Identifier: BSD-3-Clause */
/* sor [ROWS COLUMNS ITERATIONS]: red-black SOR (sor.h); each thread has some neighbouring rows,
 * which it allocates. */
#include "sor.h"

static long rows, half;
static long threads;
static struct share {
    float *grid[2];
} *shares; /* of each thread */

static float *row_of(int colour, long i) {
    long owner = part_of(rows, threads, i);
    return shares[owner].grid[colour] + (i - part_begin(rows, threads, owner)) * half;
}

static void fill(int colour, long first, long end) {
    for (long i = first; i < end; i++) {
        sor_fill(row_of(colour, i), i == 0 || i == rows - 1, sor_is_odd(colour, i), half);
    }
}

static void start(void) {
    threads = omp_get_max_threads();
    shares = allocate((size_t)threads * sizeof *shares);
#pragma omp parallel num_threads(threads)
    {
        const long me = omp_get_thread_num();
        const long first = part_begin(rows, threads, me), end = part_begin(rows, threads, me + 1);
        for (int colour = RED; colour <= BLACK; colour++) {
            shares[me].grid[colour] = allocate((size_t)((end - first) * half) * sizeof(float));
            fill(colour, first, end);
        }
    }
}

static void relax_row(int colour, long i) {
    int other = 1 - colour;
    if (i > 0 && i < rows - 1) {
        sor_relax(row_of(colour, i), row_of(other, i - 1), row_of(other, i), row_of(other, i + 1),
                  sor_is_odd(colour, i), half);
    }
}

/* The loops are over all rows, that each stays with the thread that filled it; and use no variables
 * of functions, which threads would have to fetch. */
static void relax_red(void) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < rows; i++) {
        relax_row(RED, i);
    }
}

static void relax_black(void) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < rows; i++) {
        relax_row(BLACK, i);
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
    start();
    double start = bench_now();
    for (long i = 0; i < iterations; i++) {
        relax_red();
        relax_black();
    }
    double seconds = bench_now() - start, sum = sum_of_all();
    report("sor", sum, seconds);
    int checked = wants_check(argc, argv);
    double right = checked ? sor_sum_by_elements(rows, columns, iterations) : 0;
    return conclude(checked, sum > right * (1 - 1e-12) && sum < right * (1 + 1e-12));
}
