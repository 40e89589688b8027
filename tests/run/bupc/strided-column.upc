// SPDX-License-Identifier: BSD-3-Clause
//@ env: FURLONG_CHECK=0
// Columns of a matrix whose rows lie with different threads: the regions of one call need not have
// one affinity. Without checks, sides of different sizes copy the smaller.
#include "../../check.h"

#define N 7
shared [N] int matrix[THREADS][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        matrix[MYTHREAD][i] = MYTHREAD * 100 + i;
    upc_barrier;
    bupc_smemvec_t list[THREADS];
    int *column = malloc(THREADS * sizeof *column);
    for (int c = 0; c < N; c++) {
        for (int t = 0; t < THREADS; t++)
            list[t] = (bupc_smemvec_t){&matrix[t][c], sizeof(int)};
        bupc_pmemvec_t whole = {column, THREADS * sizeof(int)};
        bupc_memget_vlist(1, &whole, THREADS, list);
        for (int t = 0; t < THREADS; t++)
            CHECK_EQ(column[t], t * 100 + c);
    }
    int row[3] = {-1, -1, -1};
    bupc_memget_fstrided(row, sizeof(int), sizeof(int), 2, &matrix[THREADS - 1][1], sizeof(int),
                         2 * sizeof(int), 3);
    CHECK_EQ(row[0], (THREADS - 1) * 100 + 1);
    CHECK_EQ(row[1], (THREADS - 1) * 100 + 3);
    CHECK_EQ(row[2], -1);
    free(column);
    return check_done();
}
