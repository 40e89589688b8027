// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 2x2 1x5
// Two-dimensional arrays by rows, by elements, and by an index computed from both.
#include "../../check.h"

enum { N = 6 };
shared [N] double a[THREADS][N];
shared [N * N] int blocks[THREADS][N][N];
shared int cyclic[N][THREADS];

int main(void)
{
    upc_forall(int i = 0; i < THREADS; i++; &a[i][0])
        for (int j = 0; j < N; j++) {
            CHECK_EQ(upc_threadof(&a[i][j]), MYTHREAD);
            a[i][j] = N * i + j;
        }
    upc_forall(int i = 0; i < THREADS; i++; blocks[i]) {
        int(*mine)[N] = (int(*)[N])blocks[i];
        for (int j = 0; j < N * N; j++)
            mine[j / N][j % N] = 100 * i + j;
    }
    for (int i = 0; i < N; i++)
        upc_forall(int j = 0; j < THREADS; j++; i * THREADS + j) cyclic[i][j] = MYTHREAD;
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        for (int j = 0; j < N * N; j++) {
            CHECK(a[t][j / N] == N * t + j / N);
            CHECK_EQ(blocks[t][j / N][j % N], 100 * t + j);
            CHECK_EQ(cyclic[j / N][t], upc_threadof(&cyclic[j / N][t]));
        }
    return check_done();
}
