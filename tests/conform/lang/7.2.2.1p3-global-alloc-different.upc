// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.2.1p3
// Threads that call upc_global_alloc get different allocations; zero bytes are a null pointer.
#include "../../check.h"

typedef shared [8] char *space;
shared space mine[THREADS];

int main(void)
{
    mine[MYTHREAD] = upc_global_alloc(THREADS, 8);
    for (int i = 0; i < 8 * THREADS; i++)
        mine[MYTHREAD][i] = 'a' + MYTHREAD;
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < 8 * THREADS; i++)
            CHECK_EQ(mine[t][i], 'a' + t);
    CHECK(upc_global_alloc(0, 8) == NULL);
    CHECK(upc_global_alloc(8, 0) == NULL);
    CHECK(upc_global_alloc(0, 0) == NULL);
    upc_barrier;
    upc_free(mine[(MYTHREAD + 1) % THREADS]);
    return check_done();
}
