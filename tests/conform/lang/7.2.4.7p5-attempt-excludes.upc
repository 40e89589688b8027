// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.4.7p5 7.2.4.7p6
//@ mappings: 2x1 1x3 2x2 1x8
// Attempts and waits exclude each other.
#include "../../check.h"

shared int total;

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    for (int i = 0; i < 1000; i++) {
        if (i % 2)
            upc_lock(lock);
        else
            WAIT_UNTIL(upc_lock_attempt(lock));
        total++;
        upc_unlock(lock);
    }
    upc_barrier;
    CHECK_EQ(total, 1000 * THREADS);
    upc_all_lock_free(lock);
    return check_done();
}
