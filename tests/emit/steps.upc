// SPDX-License-Identifier: BSD-3-Clause
// Loops that visit their own elements only: by steps, downwards, beside the element that has the
// affinity, and along rows whose subscripts are computed.
//@ flags: -O2 -network=smp
#include <upc_relaxed.h>

#define N 1000
shared double cyclic[N * THREADS];
shared [N] double blocked[N * THREADS];

void by_steps(int n, int by) {
    upc_forall (int i = 1; i < n; i += by; &blocked[i + 1])
        blocked[i + 1] = cyclic[i];
}

void downwards(int n) {
    int i;
    upc_forall (i = n; i > 0; i--; &cyclic[i])
        cyclic[i] = i;
}

void without_others(int n) {
    for (int i = 0; i < n; i += 2) {
        if (upc_threadof(&blocked[i]) != MYTHREAD)
            continue;
        blocked[i] = i;
    }
}

void flat_rows(void) {
    upc_forall (int i = 0; i < THREADS; i++; i)
        for (int j = 0; j < N; j++)
            blocked[i * N + j] = j;
}
