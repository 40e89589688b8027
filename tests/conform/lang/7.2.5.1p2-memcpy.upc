// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.5.1p2
// upc_memcpy copies between any two threads' memory, blocks taken as shared [] char[n].
#include "../../check.h"

enum { B = 100 };
shared [B] int from[B * THREADS], to[B * THREADS];

int main(void)
{
    upc_forall(int i = 0; i < B * THREADS; i++; &from[i]) from[i] = i;
    upc_barrier;
    int source = (MYTHREAD + 1) % THREADS, target = (MYTHREAD + 2) % THREADS;
    upc_memcpy(&to[B * target], &from[B * source], B * sizeof(int));
    upc_barrier;
    for (int i = 0; i < B * THREADS; i++) {
        int thread = (i / B + THREADS - 1) % THREADS;
        CHECK_EQ(to[i], B * thread + i % B);
    }
    upc_barrier;
    upc_memcpy(&to[B * MYTHREAD + 1], &from[B * source + 50], 1);
    upc_memcpy(&to[B * MYTHREAD], &from[B * source], 0);
    return check_done();
}
