// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.1p5
//@ mappings: 2x1 1x2
// upc_fence completes the accesses before it before any after it: no store buffering is seen.
#include "../../check.h"

enum { N = 4000, ROUNDS = 10, STRIDE = 16 };
relaxed shared [] int x[N * STRIDE];
relaxed shared [] int y[N * STRIDE];
shared [N] int seen[N * THREADS];

int main(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        if (MYTHREAD == 0)
            for (int i = 0; i < N * STRIDE; i++)
                x[i] = y[i] = 0;
        upc_barrier;
        for (int i = 0; i < N; i++) {
            shared [] int *mine = MYTHREAD == 0 ? &x[i * STRIDE] : &y[i * STRIDE];
            shared [] int *other = MYTHREAD == 0 ? &y[i * STRIDE] : &x[i * STRIDE];
            *mine = 1;
            upc_fence;
            seen[N * MYTHREAD + i] = *other;
        }
        upc_barrier;
        if (MYTHREAD == 0)
            for (int i = 0; i < N; i++)
                CHECK(seen[i] || seen[N + i]);
    }
    return check_done();
}
