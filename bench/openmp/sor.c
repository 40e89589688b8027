/* SPDX-License-Identifier: BSD-3-Clause */
/* sor [ROWS COLUMNS ITERATIONS]: red-black SOR (sor.h); each thread has some neighbouring rows, which
 * it allocates. */
#include "sor.h"

static long rows, half;
static float **row_of[2];

static void fill(int colour, long first, long end) {
    float *mine = allocate((size_t)((end - first) * half) * sizeof(float));
    for (long i = first; i < end; i++) {
        row_of[colour][i] = mine + (i - first) * half;
        sor_fill(row_of[colour][i], i == 0 || i == rows - 1, sor_is_odd(colour, i), half);
    }
}

static void start(void) {
    for (int colour = RED; colour <= BLACK; colour++) {
        row_of[colour] = allocate((size_t)rows * sizeof(float *));
    }
#pragma omp parallel
    {
        const long me = omp_get_thread_num(), threads = omp_get_num_threads();
        for (int colour = RED; colour <= BLACK; colour++) {
            fill(colour, part_begin(rows, threads, me), part_begin(rows, threads, me + 1));
        }
    }
}

static void relax(int colour) {
    float **row = row_of[colour], **other = row_of[1 - colour];
    /* Over all rows, that each stays with the thread that filled it. */
#pragma omp parallel for schedule(static)
    for (long i = 0; i < rows; i++) {
        if (i > 0 && i < rows - 1) {
            sor_relax(row[i], other[i - 1], other[i], other[i + 1], sor_is_odd(colour, i), half);
        }
    }
}

static double sum_of_all(void) {
    double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (long i = 0; i < rows; i++) {
        sum += sor_sum(row_of[RED][i], half) + sor_sum(row_of[BLACK][i], half);
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
        relax(RED);
        relax(BLACK);
    }
    double seconds = bench_now() - start, sum = sum_of_all();
    report("sor", sum, seconds);
    int checked = wants_check(argc, argv);
    double right = checked ? sor_sum_by_elements(rows, columns, iterations) : 0;
    return conclude(checked, sum > right * (1 - 1e-12) && sum < right * (1 + 1e-12));
}
