// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 1x4 4x1 2x2 1x7 3x1 5x1
/*
 * Transpose of a square matrix whose rows are dealt out in blocks, one block to each thread.
 *
 * Shows collective functions: what thread i has of the columns of thread j goes to thread j, for
 * all i and j at once, by upc_all_exchange; what is left are transposes of small tiles, each in its
 * thread's own memory. Reductions check the result.
 *
 *     transpose [rows-of-each-thread]
 */
#include <stdio.h>
#include <stdlib.h>
#include <upc_collective.h>
#include <upc_relaxed.h>

shared double sums[2][THREADS];
shared double before, after;
shared int wrong[THREADS];
shared int all_wrong;

/* What stands in a row and a column: no two of them are the same. */
static double entry(long row, long column) {
    return (double)row * 1000003 + (double)column;
}

int main(int argc, char **argv) {
    long rows = argc > 1 ? atol(argv[1]) : 60;
    long n = rows * THREADS;
    size_t tile = (size_t)(rows * rows);

    /* Thread i's memory is THREADS tiles: tile j holds the columns of its rows that will be rows of
     * thread j. A row of THREADS blocks of that size is one block on each thread. */
    shared double *source = upc_all_alloc(THREADS, THREADS * tile * sizeof(double));
    shared double *target = upc_all_alloc(THREADS, THREADS * tile * sizeof(double));
    double *from = (double *)&source[MYTHREAD], *to = (double *)&target[MYTHREAD];

    double sum = 0;
    for (long j = 0; j < THREADS; j++) {
        for (long r = 0; r < rows; r++) {
            for (long c = 0; c < rows; c++) {
                double x = entry(MYTHREAD * rows + r, j * rows + c);
                from[j * (long)tile + r * rows + c] = x;
                sum += x;
            }
        }
    }
    sums[0][MYTHREAD] = sum;

    /* Nobody need be ready but those whose tiles are moved; and when the call returns a thread's own
     * tiles are there. */
    upc_all_exchange(target, source, tile * sizeof(double), UPC_IN_MYSYNC | UPC_OUT_MYSYNC);

    int errors = 0;
    sum = 0;
    for (long j = 0; j < THREADS; j++) {
        double *t = &to[j * (long)tile];
        for (long r = 0; r < rows; r++) {
            for (long c = 0; c < r; c++) {
                double x = t[r * rows + c];
                t[r * rows + c] = t[c * rows + r];
                t[c * rows + r] = x;
            }
        }
        for (long r = 0; r < rows; r++) {
            for (long c = 0; c < rows; c++) {
                double x = t[r * rows + c];
                errors += x != entry(j * rows + c, MYTHREAD * rows + r);
                sum += x;
            }
        }
    }
    sums[1][MYTHREAD] = sum;
    wrong[MYTHREAD] = errors;

    /* Three reductions in a row need not wait for each other: only the first waits for everybody to
     * be there, and the barrier for everything to be done. */
    upc_all_reduceD(&before, sums[0], UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_NOSYNC);
    upc_all_reduceD(&after, sums[1], UPC_ADD, THREADS, 1, NULL, UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    upc_all_reduceI(&all_wrong, wrong, UPC_ADD, THREADS, 1, NULL,
                    UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    upc_barrier;

    int good = all_wrong == 0 && before == after;
    if (MYTHREAD == 0) {
        printf("%ld x %ld transposed: %d wrong, sum %.0f before and %.0f after\n", n, n, all_wrong,
               before, after);
        puts(good ? "ok" : "failed");
    }
    upc_all_free(source);
    upc_all_free(target);
    return !good;
}
