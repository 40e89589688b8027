// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.4.6p2 7.2.4.6p5
//@ mappings: 1x1 2x1 1x2 3x1 1x3 2x2 1x8 8x1
// One thread at a time holds a lock.
#include "../../check.h"

shared int inside, total;

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    for (int i = 0; i < 1000; i++) {
        upc_lock(lock);
        CHECK_EQ(inside, 0);
        inside = 1;
        total++;
        CHECK_EQ(inside, 1);
        inside = 0;
        upc_unlock(lock);
    }
    upc_barrier;
    CHECK_EQ(total, 1000 * THREADS);
    upc_all_lock_free(lock);
    return check_done();
}
