// SPDX-License-Identifier: BSD-3-Clause
//@ not-checked: some subscripts go on to the next row
// Arrays of two to four dimensions, whole and in rows, in several layouts.
#include "../../check.h"

shared [5] int a[THREADS][3][4];
shared double b[2][2][2][2 * THREADS];
shared [] short c[3][4][5];
shared [*] char d[4 * THREADS][6];

static int row_sum(shared [5] int *row, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += row[i];
    return sum;
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            a[MYTHREAD][i][j] = 100 * MYTHREAD + 10 * i + j;
    for (int k = 0; k < 16; k++)
        b[k >> 3][k >> 2 & 1][k >> 1 & 1][2 * MYTHREAD + (k & 1)] = k + MYTHREAD / 8.0;
    for (int k = MYTHREAD; k < 60; k += THREADS)
        c[k / 20][k / 5 % 4][k % 5] = k;
    for (int k = 0; k < 24; k++)
        d[4 * MYTHREAD + k / 6][k % 6] = k;
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        for (int i = 0; i < 3; i++)
            CHECK_EQ(row_sum(a[t][i], 4), 4 * (100 * t + 10 * i) + 6);
        for (int k = 0; k < 16; k++)
            CHECK(b[k / 8][k / 4 % 2][k / 2 % 2][2 * t + k % 2] == k + t / 8.0);
        for (int k = 0; k < 24; k++) {
            CHECK_EQ(d[4 * t + k / 6][k % 6], k);
            CHECK_EQ(upc_threadof(&d[4 * t + k / 6][k % 6]), t);
            CHECK_EQ((*(d + 4 * t))[k], k);
        }
    }
    for (int k = 0; k < 60; k++) {
        CHECK_EQ(c[k / 20][k / 5 % 4][k % 5], k);
        CHECK_EQ(c[0][0][k], k);
        CHECK_EQ(*(*(*(c + k / 20) + k / 5 % 4) + k % 5), k);
    }
    return check_done();
}
