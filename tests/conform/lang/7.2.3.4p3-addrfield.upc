// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.3.4p2 7.2.3.4p3
// Differences of upc_addrfield are distances in the owner's memory.
#include "../../check.h"

shared [3] double a[9 * THREADS];
shared short b[8 * THREADS];

int main(void)
{
    for (int i = 0; i < 9 * THREADS; i++)
        for (int k = 0; k < 9 * THREADS; k++) {
            if (upc_threadof(&a[i]) != MYTHREAD || upc_threadof(&a[k]) != MYTHREAD)
                continue;
            double *p1 = (double *)&a[i], *p2 = (double *)&a[k];
            CHECK_EQ((ptrdiff_t)upc_addrfield(&a[k]) - (ptrdiff_t)upc_addrfield(&a[i]),
                     (p2 - p1) * (ptrdiff_t)sizeof(double));
        }
    for (int t = 0; t < THREADS; t++)
        CHECK_EQ(upc_addrfield(&b[t + 7 * THREADS]) - upc_addrfield(&b[t]), 7 * sizeof(short));
    return check_done();
}
