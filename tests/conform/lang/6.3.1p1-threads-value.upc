// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.3.1p1
//@ mappings: 1x1 2x1 1x3 2x2 1x7
// THREADS has one value on all threads and can be used like any integer expression.
#include "../../check.h"

shared int values[THREADS];

static int twice(int n)
{
    return 2 * n;
}

int main(void)
{
    values[MYTHREAD] = THREADS;
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        CHECK_EQ(values[t], THREADS);
    CHECK(THREADS >= 1);
    CHECK_EQ(twice(THREADS), THREADS + THREADS);
    CHECK_EQ((THREADS), THREADS * 1);
    CHECK_EQ(-THREADS, 0 - THREADS);
    int copy = THREADS, variable[THREADS];
    CHECK_EQ(sizeof variable, copy * sizeof(int));
    return check_done();
}
