// SPDX-License-Identifier: BSD-3-Clause
//@ env: FURLONG_CHECK=0
// Castability by Berkeley's names, and the way back from a local pointer.
#include "../../check.h"

shared [3] int blocks[3 * THREADS];
static int private_static;

int main(void)
{
    int automatic, *allocated = malloc(sizeof *allocated);
    shared [] int *mine = upc_alloc(5 * sizeof(int));
    for (int t = 0; t < THREADS; t++) {
        int near = bupc_thread_distance(MYTHREAD, t) < BUPC_THREADS_VERYFAR;
        CHECK_EQ(bupc_thread_castable(t), near);
        shared [3] int *p = &blocks[3 * t + 1];
        CHECK_EQ(bupc_castable(p), near);
        if (!near)
            continue;
        int *local = bupc_cast(p);
        if (MYTHREAD == t)
            *local = 100 + t;
        shared void *back = bupc_inverse_cast(local);
        CHECK(back == (shared void *)p);
        CHECK_EQ(upc_threadof(back), t);
        CHECK_EQ(upc_phaseof(back), 0);
        CHECK_EQ(upc_addrfield(back), upc_addrfield(p));
    }
    upc_barrier;
    CHECK_EQ(blocks[3 * MYTHREAD + 1], 100 + MYTHREAD);
    shared void *back = bupc_inverse_cast((int *)mine + 4);
    CHECK(back == (shared void *)(mine + 4));

    CHECK(bupc_castable(NULL));
    CHECK(bupc_cast(NULL) == NULL);
    CHECK(bupc_inverse_cast(NULL) == NULL);
    CHECK(bupc_inverse_cast(&automatic) == NULL);
    CHECK(bupc_inverse_cast(&private_static) == NULL);
    CHECK(bupc_inverse_cast(allocated) == NULL);
    CHECK(bupc_inverse_cast((void *)main) == NULL);
    CHECK(!bupc_thread_castable(THREADS));
    free(allocated);
    return check_done();
}
