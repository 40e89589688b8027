// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.2p5 6.6.2p6
//@ mappings: 1x1 3x1 1x3 2x2 1x7
// The iterations of a upc_forall are divided: each is performed exactly once.
#include "../../check.h"

enum { N = 50 };
shared int by_integer[N * THREADS], by_pointer[N * THREADS];
shared [7] int blocked[N * THREADS];

int main(void)
{
    int mine = 0;
    upc_forall(int i = 0; i < N * THREADS; i++; i) {
        by_integer[i]++;
        mine++;
    }
    upc_forall(int i = 0; i < N * THREADS; i++; &blocked[i]) by_pointer[i]++;
    upc_barrier;
    CHECK_EQ(mine, N);
    for (int i = 0; i < N * THREADS; i++) {
        CHECK_EQ(by_integer[i], 1);
        CHECK_EQ(by_pointer[i], 1);
    }
    return check_done();
}
