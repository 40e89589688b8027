// SPDX-License-Identifier: BSD-3-Clause
// Loops whose bounds are in shared memory: read once where what the loop writes is something else, and
// again and again where it may be the bound.
//@ flags: -O2 -network=smp
#include <upc_relaxed.h>

#define N 1000

shared int n, m;
shared [N] int ints[N * THREADS];

void bound(void) {
    int i;
    upc_forall (i = 0; i < n; i++; &ints[i])
        ints[i] = i;
}

void of_other_type(shared [] double *to) {
    for (int i = 0; i < n; i++)
        to[i] = ints[i];
}

void perhaps_written(shared [] int *to) {
    for (int i = 0; i < n; i++)
        to[i] = ints[i];
}

void written(void) {
    for (int i = 0; i < m; i++) {
        ints[i] = 0;
        m--;
    }
}
