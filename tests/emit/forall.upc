// SPDX-License-Identifier: BSD-3-Clause
// Loops that visit their own elements only, and one that has to ask at each iteration.
//@ flags: -network=smp
#include <upc_relaxed.h>

#define N 1000
shared double cyclic[N * THREADS];
shared [N] double blocked[N * THREADS];

void by_address(void) {
    upc_forall (int i = 0; i < N * THREADS; i++; &cyclic[i])
        cyclic[i] = 2.0;
}

void by_block(void) {
    upc_forall (int i = 0; i < N * THREADS; i++; &blocked[i])
        blocked[i] += 1.0;
}

void by_number(int n) {
    upc_forall (int i = 0; i < n; i++; i)
        cyclic[i] = i;
}

void by_question(int n, int *order) {
    upc_forall (int i = 0; i < n; i++; order[i])
        cyclic[i] = i;
}
