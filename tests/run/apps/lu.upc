// SPDX-License-Identifier: BSD-3-Clause
//@ static-threads: 4
//@ mappings: 4x1 1x4 2x2
//@ flags: -lm
/* LU with partial pivoting, rows dealt round, in the static environment: a two-dimensional
 * shared array whose block is one row, pointers to shared rows, swaps through private rows. */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <upc_relaxed.h>

#define N 48

shared [N] double a[N][N];
shared [N] double keep[N][N];
shared double b[N];
shared int pivot_row;
static double row[N], other[N], x[N];

typedef shared [N] double (*row_ptr)[N];

static void swap_rows(row_ptr p, row_ptr q)
{
    upc_memget(row, p, sizeof row);
    upc_memget(other, *q, sizeof other);
    upc_memput(*p, other, sizeof other);
    upc_memput(q, row, sizeof(row));
}

int main()
{
    int i, j, k;
    unsigned seed = 1;

    if (MYTHREAD == 0)
        for (i = 0; i < N; i++) {
            b[i] = 0;
            for (j = 0; j < N; j++) {
                seed = seed * 1103515245 + 12345;
                keep[i][j] = a[i][j] = (seed >> 16) % 1000 / 100.0 - 5;
                b[i] += a[i][j] * (j % 7 - 3);
            }
        }
    upc_barrier;

    for (k = 0; k < N; k++) {
        if (upc_threadof(&a[k]) == MYTHREAD) {
            int best = k;
            for (i = k + 1; i < N; i++)
                if (fabs(a[i][k]) > fabs(a[best][k]))
                    best = i;
            pivot_row = best;
            if (best != k) {
                double t = b[best];
                swap_rows(&a[k], a + best);
                b[best] = b[k];
                b[k] = t;
            }
        }
        upc_barrier k;
        upc_memget(row, &a[k][0], N * sizeof(double));
        upc_forall (i = k + 1; i < N; i++; &a[i][0]) {
            double *mine = (double *)a[i], factor = mine[k] / row[k];
            mine[k] = factor;
            for (j = k + 1; j < N; j++)
                mine[j] -= factor * row[j];
            b[i] -= factor * b[k];
        }
        upc_barrier;
    }

    for (i = N - 1; i >= 0; i--) {
        x[i] = b[i];
        for (j = i + 1; j < N; j++)
            x[i] -= a[i][j] * x[j];
        x[i] /= a[i][i];
        if (!(fabs(x[i] - (i % 7 - 3)) < 1e-8)) {
            printf("thread %d: x[%d] is %g, expected %d\n", MYTHREAD, i, x[i], i % 7 - 3);
            upc_global_exit(1);
        }
    }
    if (upc_threadof(&a[5][N - 1]) != 5 % THREADS || upc_phaseof(&a[5][7]) != 7 ||
        sizeof(a) != N * N * sizeof(double) || upc_blocksizeof(a) != N ||
        upc_localsizeof(a) != N / 4 * N * sizeof(double) || upc_elemsizeof(a) != sizeof(double)) {
        printf("layout is wrong\n");
        upc_global_exit(1);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("ok\n");
    return 0;
}
