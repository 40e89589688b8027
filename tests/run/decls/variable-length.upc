// SPDX-License-Identifier: BSD-3-Clause
// Private arrays of variable length beside shared ones; THREADS as their length.
#include "../../check.h"

shared int a[4 * THREADS];

static int sum(int n, int v[n])
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += v[i];
    return s;
}

int main(void)
{
    int copy[4 * THREADS], grid[THREADS][3], n = THREADS + 1;
    char text[n];
    for (int i = MYTHREAD; i < 4 * THREADS; i += THREADS)
        a[i] = i;
    upc_barrier;
    for (int i = 0; i < 4 * THREADS; i++)
        copy[i] = a[i];
    for (int t = 0; t < THREADS; t++)
        grid[t][2] = a[t], text[t] = (char)t;
    CHECK_EQ(sum(4 * THREADS, copy), 4 * THREADS * (4 * THREADS - 1) / 2);
    CHECK_EQ(grid[THREADS - 1][2], THREADS - 1);
    CHECK_EQ(sizeof grid, 3 * sizeof(int) * THREADS);
    CHECK_EQ(sizeof text, THREADS + 1);
    return check_done();
}
