// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.2p14
// Example 1: the j loop controls, the i and k loops run whole on every thread.
#include "../../check.h"

enum { N = 5 };
shared float a[N * THREADS], b[N * THREADS], c[N * THREADS];

int main(void)
{
    int i, j, k, n = N * THREADS;
    upc_forall(i = 0; i < n; i++; &b[i]) {
        b[i] = 2;
        c[i] = i;
    }
    upc_barrier;
    upc_forall(i = 0; i < n; i++; continue)
        upc_forall(j = 0; j < n; j++; &a[j])
            upc_forall(k = 0; k < n; k++; &b[k])
                a[j] = b[k] * c[i];
    upc_barrier;
    for (j = 0; j < n; j++)
        CHECK(a[j] == 2.0f * (n - 1));
    return check_done();
}
