// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p10
//@ mappings: 2x1 1x2
// Under `#pragma upc relaxed` an object declared strict is strict still: store buffering is not
// seen.
#include "../../check.h"
#pragma upc relaxed

enum { N = 4000, ROUNDS = 10, STRIDE = 16 };
strict shared [] int x[N * STRIDE];
strict shared [] int y[N * STRIDE];
shared [N] int seen[N * THREADS];

int main(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        if (MYTHREAD == 0)
            for (int i = 0; i < N * STRIDE; i++)
                x[i] = y[i] = 0;
        upc_barrier;
        for (int i = 0; i < N; i++) {
            strict shared [] int *mine = MYTHREAD == 0 ? &x[i * STRIDE] : &y[i * STRIDE];
            strict shared [] int *other = MYTHREAD == 0 ? &y[i * STRIDE] : &x[i * STRIDE];
            *mine = 1;
            seen[N * MYTHREAD + i] = *other;
        }
        upc_barrier;
        if (MYTHREAD == 0)
            for (int i = 0; i < N; i++)
                CHECK(seen[i] || seen[N + i]);
    }
    return check_done();
}
