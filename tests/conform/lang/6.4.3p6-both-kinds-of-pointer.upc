// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.3p6
// The same bytes are reached by pointers-to-shared and by pointers-to-local.
#include "../../check.h"

shared int a[8 * THREADS];

int main(void)
{
    int *mine = (int *)&a[MYTHREAD];
    for (int k = 0; k < 8; k++)
        mine[k] = 100 * MYTHREAD + k;
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        for (int k = 0; k < 8; k++)
            CHECK_EQ(a[t + k * THREADS], 100 * t + k);
    upc_barrier;
    int next = (MYTHREAD + 1) % THREADS;
    for (int k = 0; k < 8; k++)
        a[next + k * THREADS] += 5;
    upc_barrier;
    for (int k = 0; k < 8; k++)
        CHECK_EQ(mine[k], 100 * MYTHREAD + k + 5);
    return check_done();
}
