// SPDX-License-Identifier: BSD-3-Clause
// Side effects on shared objects happen in the order of C's sequence points.
#include "../../check.h"

shared int x[THREADS], y[THREADS];

static int set(int value)
{
    x[MYTHREAD] = value;
    return value;
}

int main(void)
{
    int me = MYTHREAD;
    CHECK_EQ((x[me] = 1, x[me] + 1), 2);
    CHECK_EQ((set(0) && set(5)) || x[me], 0);
    CHECK_EQ(set(3) && x[me] == 3, 1);
    CHECK_EQ(x[me]++ == 3 && x[me] == 4, 1);
    CHECK_EQ(set(0) || x[me]++ || x[me] == 1, 1);
    CHECK_EQ(x[me]-- ? x[me] + 10 : x[me] - 10, 10);
    CHECK_EQ((y[me] = set(7)) + 0 * x[me], 7);
    CHECK_EQ(x[me] == y[me], 1);
    int n = 0;
    0 && x[me]++, n++;
    1 || x[me]++, n++;
    CHECK_EQ(x[me] + n, 9);
    return check_done();
}
