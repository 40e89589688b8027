// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.7.2.1p7
// The pointer stays valid while the object lives: across barriers, and while other objects come
// and go.
#include "../../check.h"
#include <upc_castable.h>

shared [] int *shared object[THREADS];

int main(void)
{
    object[MYTHREAD] = upc_alloc(1000 * sizeof(int));
    upc_barrier;
    int last = THREADS - 1 - MYTHREAD;
    int *cast = upc_cast(object[last]);
    if (cast)
        cast[7] = MYTHREAD;
    else
        object[last][7] = MYTHREAD;
    for (int i = 0; i < 10; i++) {
        shared void *passing = upc_all_alloc(THREADS, 100000);
        upc_all_free(passing);
        upc_barrier;
        CHECK(upc_cast(object[last]) == cast);
        CHECK(!cast || cast[7] == MYTHREAD);
        CHECK_EQ(object[MYTHREAD][7], last);
    }
    return check_done();
}
