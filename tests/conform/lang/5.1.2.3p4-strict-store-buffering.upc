// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 5.1.2.3p4
//@ mappings: 2x1 1x2
// Strict accesses are sequentially consistent: of two threads that each write and then read the
// other's location, at least one sees the write.
#include "../../check.h"

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
        int my_seen[N];
        if (MYTHREAD == 0) {
            for (int i = 0; i < N; i++) {
                x[i * STRIDE] = 1;
                my_seen[i] = y[i * STRIDE];
            }
        } else if (MYTHREAD == 1) {
            for (int i = 0; i < N; i++) {
                y[i * STRIDE] = 1;
                my_seen[i] = x[i * STRIDE];
            }
        }
        if (MYTHREAD < 2)
            for (int i = 0; i < N; i++)
                seen[N * MYTHREAD + i] = my_seen[i];
        upc_barrier;
        if (MYTHREAD == 0)
            for (int i = 0; i < N; i++)
                CHECK(seen[i] || seen[N + i]);
    }
    return check_done();
}
