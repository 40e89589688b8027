// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.7.1p2
//@ mappings: 2x1 1x2
// Under `#pragma upc strict` unqualified accesses are strict: no store buffering is seen.
#include "../../check.h"
#pragma upc strict

enum { N = 4000, ROUNDS = 10, STRIDE = 16 };
shared [] int x[N * STRIDE];
shared [] int y[N * STRIDE];
relaxed shared [N] int seen[N * THREADS];

int main(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        if (MYTHREAD == 0)
            for (int i = 0; i < N * STRIDE; i += STRIDE)
                x[i] = y[i] = 0;
        upc_barrier;
        if (MYTHREAD == 0)
            for (int i = 0; i < N; i++) {
                x[i * STRIDE] = 1;
                seen[i] = y[i * STRIDE];
            }
        else
            for (int i = 0; i < N; i++) {
                y[i * STRIDE] = 1;
                seen[N + i] = x[i * STRIDE];
            }
        upc_barrier;
        if (MYTHREAD == 0)
            for (int i = 0; i < N; i++)
                CHECK(seen[i] || seen[N + i]);
    }
    return check_done();
}
