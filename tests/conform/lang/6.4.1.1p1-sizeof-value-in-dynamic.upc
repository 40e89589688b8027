// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.1.1p1
// In the dynamic environment sizeof of a definitely blocked array counts all threads' parts.
#include "../../check.h"

shared int cyclic[10 * THREADS];
shared [4] double blocked[THREADS];
shared [*] char star[7 * THREADS];
shared [2] struct { char c; int i; } two[3][5 * THREADS];
shared [] long indefinite[9];

int main(void)
{
    CHECK_EQ(sizeof cyclic, 10 * THREADS * sizeof(int));
    CHECK_EQ(sizeof(blocked), THREADS * sizeof(double));
    CHECK_EQ(sizeof star, 7 * THREADS);
    CHECK_EQ(sizeof two, 15 * THREADS * 2 * sizeof(int));
    CHECK_EQ(sizeof two[0], 5 * THREADS * 2 * sizeof(int));
    CHECK_EQ(sizeof two / sizeof two[0], 3);
    CHECK_EQ(sizeof cyclic / sizeof cyclic[0], 10 * THREADS);
    CHECK_EQ(sizeof(shared int[2 * THREADS]), 2 * THREADS * sizeof(int));
    CHECK_EQ(sizeof(indefinite), 9 * sizeof(long));
    return check_done();
}
