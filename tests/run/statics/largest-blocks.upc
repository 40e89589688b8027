// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2:2x1
// Blocks that are larger than the array: all of it is thread 0's, and takes no room for more.
#include "../../check.h"
#include <upc_relaxed.h>

enum { N = 4 };
shared [UPC_MAX_BLOCK_SIZE] char largest[N * THREADS];
shared [1 << 20] double large[N * THREADS];
shared [N * 3] int between[N * THREADS];

int main(void)
{
    for (int i = 0; i < N * THREADS; i++) {
        CHECK_EQ(upc_threadof(&largest[i]), 0);
        CHECK_EQ(upc_phaseof(&largest[i]), i);
        CHECK_EQ(upc_threadof(&large[i]), 0);
        CHECK_EQ(upc_threadof(&between[i]), i / (N * 3) % THREADS);
    }
    CHECK(upc_localsizeof(largest) >= N * THREADS);
    CHECK(upc_localsizeof(large) >= N * THREADS * sizeof(double));
    CHECK(upc_localsizeof(between) >= sizeof(int) * (THREADS < 3 ? N * THREADS : N * 3));
    for (int i = 0; i < N; i++) {
        int at = MYTHREAD * N + i;
        largest[at] = at;
        large[at] = at;
        between[at] = at;
    }
    upc_barrier;
    for (int i = 0; i < N * THREADS; i++) {
        CHECK_EQ(largest[i], i);
        CHECK_EQ(large[i], i);
        CHECK_EQ(between[i], i);
    }
    return check_done();
}
