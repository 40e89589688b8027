// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.4.7p4
// An attempt at a locked lock returns 0 at once, at an unlocked one 1 with the lock held.
#include "../../check.h"

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    if (MYTHREAD == 0)
        CHECK_EQ(upc_lock_attempt(lock), 1);
    upc_barrier;
    if (MYTHREAD != 0)
        CHECK_EQ(upc_lock_attempt(lock), 0);
    upc_barrier;
    if (MYTHREAD == 0)
        upc_unlock(lock);
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        CHECK_EQ(upc_lock_attempt(lock), 1);
        upc_unlock(lock);
        upc_lock(lock);
        upc_unlock(lock);
    }
    upc_all_lock_free(lock);
    return check_done();
}
