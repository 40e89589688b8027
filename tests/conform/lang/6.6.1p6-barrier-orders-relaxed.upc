// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.1p6
//@ mappings: 1x1 3x1 1x3 2x2 4x2
// What was written before the barrier is seen after it, also through local pointers.
#include "../../check.h"

shared [4] int a[4 * THREADS];

int main(void)
{
    int *mine = (int *)&a[4 * MYTHREAD];
    int next = (MYTHREAD + 1) % THREADS;
    for (int i = 0; i < 500; i++) {
        for (int k = 0; k < 4; k++)
            mine[k] = i + k;
        upc_barrier;
        for (int k = 0; k < 4; k++)
            CHECK_EQ(a[4 * next + k], i + k);
        upc_barrier;
    }
    return check_done();
}
