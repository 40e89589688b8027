// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.2.2p2 7.2.2.2p4
// upc_all_alloc returns the same pointer on all threads, and null for zero bytes.
#include "../../check.h"

shared void *shared first;

int main(void)
{
    for (int i = 1; i <= 20; i++) {
        shared void *p = upc_all_alloc(i, 3 * i);
        if (MYTHREAD == 0)
            first = p;
        upc_barrier;
        CHECK(p == first);
        CHECK_EQ(upc_threadof(p), 0);
        upc_barrier;
        upc_all_free(p);
    }
    CHECK(upc_all_alloc(0, 3) == NULL);
    CHECK(upc_all_alloc(3, 0) == NULL);
    CHECK(upc_all_alloc(0, 0) == NULL);
    return check_done();
}
