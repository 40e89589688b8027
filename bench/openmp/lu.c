/* SPDX-License-Identifier: BSD-3-Clause */
/* lu [N BLOCK]: LU factorisation (lu.h), the blocks of a thread together in memory. */
#include "lu.h"

static struct lu lu;
static double **shares; /* of each thread */

static double *block_at(long i, long j) {
    return shares[lu_owner(&lu, i, j)] + lu_number(&lu, i, j) * lu.size * lu.size;
}

static void fill(long my_row, long my_column) {
    for (long i = my_row; i < lu.blocks; i += lu.rows) {
        for (long j = my_column; j < lu.blocks; j += lu.columns) {
            lu_fill(&lu, block_at(i, j), i, j);
        }
    }
}

/* Nobody needs a block that is not finished but its owner: two barriers for each step. */
static void factor(long me, long my_row, long my_column) {
    for (long k = 0; k < lu.blocks; k++) {
        double *diagonal = block_at(k, k);
        if (lu_owner(&lu, k, k) == me) {
            lu_factor(diagonal, lu.size);
        }
#pragma omp barrier
        const long row = dealt_from(k + 1, my_row, lu.rows);
        const long column = dealt_from(k + 1, my_column, lu.columns);
        for (long i = row; k % lu.columns == my_column && i < lu.blocks; i += lu.rows) {
            lu_below(block_at(i, k), diagonal, lu.size);
        }
        for (long j = column; k % lu.rows == my_row && j < lu.blocks; j += lu.columns) {
            lu_right(block_at(k, j), diagonal, lu.size);
        }
#pragma omp barrier
        for (long i = row; i < lu.blocks; i += lu.rows) {
            for (long j = column; j < lu.blocks; j += lu.columns) {
                lu_inner(block_at(i, j), block_at(i, k), block_at(k, j), lu.size);
            }
        }
    }
}

static double value(long my_row, long my_column) {
    double sum = 0;
    for (long i = my_row; i < lu.blocks; i += lu.rows) {
        for (long j = my_column; j < lu.blocks; j += lu.columns) {
            sum += lu_value(&lu, block_at(i, j), i, j);
        }
    }
    return sum;
}

static double factored(long row, long column) {
    const double *block = block_at(row / lu.size, column / lu.size);
    return block[row % lu.size * lu.size + column % lu.size];
}

/* Whether L U is the matrix. */
static int is_factored(void) {
    const long n = lu.blocks * lu.size;
    double worst = 0;
    for (long row = 0; row < n; row++) {
        for (long column = 0; column < n; column++) {
            double sum = row <= column ? factored(row, column) : 0;
            for (long k = 0; k < row && k <= column; k++) {
                sum += factored(row, k) * factored(k, column);
            }
            worst = fmax(worst, fabs(sum - lu_element(&lu, row, column)));
        }
    }
    return worst < 1e-10 * (double)n;
}

int main(int argc, char **argv) {
    long n = argument(argc, argv, 1, 2048), size = argument(argc, argv, 2, 32);
    const int threads = omp_get_max_threads();
    lu = lu_setup(n, size, threads);
    shares = allocate((size_t)threads * sizeof *shares);
    double start = 0, seconds = 0, sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    {
        const long me = omp_get_thread_num();
        const long my_row = me / lu.columns, my_column = me % lu.columns;
        shares[me] = allocate(lu_share(&lu) * sizeof(double));
        fill(my_row, my_column);
#pragma omp barrier
#pragma omp master
        start = bench_now();
        factor(me, my_row, my_column);
#pragma omp barrier
#pragma omp master
        seconds = bench_now() - start;
        sum = value(my_row, my_column);
    }
    report("lu", sum, seconds);
    int checked = wants_check(argc, argv);
    return conclude(checked, checked && is_factored());
}
