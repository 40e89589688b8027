// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 5.1.2.3p6
// Relaxed accesses separated by locks and barriers behave as in any interleaving.
#include "../../check.h"

shared int counter;
shared int other;

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    for (int i = 0; i < 2000; i++) {
        upc_lock(lock);
        CHECK_EQ(counter, other);
        counter++;
        other++;
        upc_unlock(lock);
    }
    upc_barrier;
    CHECK_EQ(counter, 2000 * THREADS);
    upc_all_lock_free(lock);
    return check_done();
}
