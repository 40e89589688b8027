// SPDX-License-Identifier: BSD-3-Clause
//@ spec: B.4p1
//@ mappings: 4x1 1x4 2x2
// Strict only programs are sequentially consistent: two readers agree on the order of two
// writers.
#include "../../check.h"

enum { N = 3000, ROUNDS = 5, STRIDE = 16 };
strict shared [] int x[N * STRIDE];
strict shared [] int y[N * STRIDE];
shared [N] int seen[N * THREADS];

int main(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        if (MYTHREAD == 0)
            for (int i = 0; i < N; i++)
                x[i * STRIDE] = y[i * STRIDE] = 0;
        upc_barrier;
        for (int i = 0; i < N; i++) {
            int first = 0, second = 0, slot = i * STRIDE;
            switch (MYTHREAD) {
            case 0: x[slot] = 1; break;
            case 1: y[slot] = 1; break;
            case 2: first = x[slot]; second = y[slot]; break;
            case 3: first = y[slot]; second = x[slot]; break;
            }
            seen[N * MYTHREAD + i] = 10 * first + second;
        }
        upc_barrier;
        if (MYTHREAD == 0)
            for (int i = 0; i < N; i++)
                CHECK(!(seen[2 * N + i] == 10 && seen[3 * N + i] == 10));
    }
    return check_done();
}
