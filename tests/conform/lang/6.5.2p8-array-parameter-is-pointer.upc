// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2p8
// A parameter that looks like a shared array is a private pointer-to-shared.
#include "../../check.h"

shared [3] int a[6 * THREADS];
shared [] int b[2][4];

static int sum(shared [3] int v[], int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += v[i];
    v++;
    return s + (int)upc_phaseof(v);
}

static int corner(shared [] int m[2][4])
{
    return m[1][3];
}

int main(void)
{
    for (int i = MYTHREAD; i < 6 * THREADS; i += THREADS)
        a[i] = i;
    if (MYTHREAD == 0)
        b[1][3] = 13;
    upc_barrier;
    CHECK_EQ(sum(a, 6 * THREADS), 6 * THREADS * (6 * THREADS - 1) / 2 + 1);
    CHECK_EQ(corner(b), 13);
    return check_done();
}
