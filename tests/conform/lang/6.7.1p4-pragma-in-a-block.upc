// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.7.1p4
//@ mappings: 2x1 1x2
// At the start of a compound statement the pragma holds until its end, for statements inside.
#include "../../check.h"
#pragma upc relaxed

enum { N = 4000, ROUNDS = 10, STRIDE = 16 };
shared [] int x[N * STRIDE];
shared [] int y[N * STRIDE];
shared [N] int seen[N * THREADS];

static int store_then_load(shared [] int *mine, shared [] int *other)
{
#pragma upc strict
    *mine = 1;
    {
        int got = *other;
        return got;
    }
}

int main(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        if (MYTHREAD == 0)
            for (int i = 0; i < N * STRIDE; i++)
                x[i] = y[i] = 0;
        upc_barrier;
        for (int i = 0; i < N; i++)
            seen[N * MYTHREAD + i] = MYTHREAD ? store_then_load(&y[i * STRIDE], &x[i * STRIDE])
                                              : store_then_load(&x[i * STRIDE], &y[i * STRIDE]);
        upc_barrier;
        if (MYTHREAD == 0)
            for (int i = 0; i < N; i++)
                CHECK(seen[i] || seen[N + i]);
    }
    return check_done();
}
