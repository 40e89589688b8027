// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2.1p2 6.5.2.1p8
// Where THREADS may stand: alone, times a constant on either side, in any one dimension.
#include "../../check.h"

enum { TWO = 2 };
shared int a[THREADS];
shared int b[10 * THREADS];
shared int c[THREADS * (100 * 20)];
shared int d[(TWO + 1) * THREADS];
shared int e[THREADS][7];
shared int f[7][THREADS];
shared int g[2][3 * THREADS][4];
shared int h[(THREADS)];
shared int i[sizeof(int) * THREADS];

int main(void)
{
    CHECK_EQ(sizeof a / sizeof(int), THREADS);
    CHECK_EQ(sizeof b / sizeof(int), 10 * THREADS);
    CHECK_EQ(sizeof c / sizeof(int), 2000 * THREADS);
    CHECK_EQ(sizeof d / sizeof(int), 3 * THREADS);
    CHECK_EQ(sizeof e / sizeof(int), 7 * THREADS);
    CHECK_EQ(sizeof f / sizeof(int), 7 * THREADS);
    CHECK_EQ(sizeof g / sizeof(int), 24 * THREADS);
    CHECK_EQ(sizeof h / sizeof(int), THREADS);
    CHECK_EQ(sizeof i / sizeof(int), 4 * THREADS);
    return check_done();
}
