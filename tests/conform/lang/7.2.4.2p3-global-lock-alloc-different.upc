// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.4.2p3
// Threads that call upc_global_lock_alloc get different locks.
#include "../../check.h"

upc_lock_t *shared locks[THREADS];

int main(void)
{
    locks[MYTHREAD] = upc_global_lock_alloc();
    upc_lock(locks[MYTHREAD]);
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        if (t == MYTHREAD)
            continue;
        CHECK(locks[t] != locks[MYTHREAD]);
        CHECK_EQ(upc_lock_attempt(locks[t]), 0);
    }
    upc_barrier;
    upc_unlock(locks[MYTHREAD]);
    upc_lock_free(locks[MYTHREAD]);
    return check_done();
}
