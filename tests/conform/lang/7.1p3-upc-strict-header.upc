// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.1p3
//@ mappings: 2x1 1x2
// Every inclusion of <upc_strict.h> asserts strict again, and includes <upc.h>.
#include <upc_strict.h>
#include <upc_relaxed.h>
#include <upc_strict.h>
#include "../../check.h"

enum { N = 4000, ROUNDS = 10, STRIDE = 16 };
shared [] int x[N * STRIDE];
shared [] int y[N * STRIDE];
relaxed shared [N] int seen[N * THREADS];

int main(void)
{
    CHECK_EQ(upc_threadof(x), 0);
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
