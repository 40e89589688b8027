// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.4.3p2 7.2.4.3p3 7.2.4.7p2
// upc_all_lock_alloc returns the same unlocked lock on every thread.
#include "../../check.h"

shared int winners;

int main(void)
{
    upc_lock_t *guard = upc_all_lock_alloc(), *prize = upc_all_lock_alloc();
    int won = upc_lock_attempt(prize);
    if (won) {
        upc_lock(guard);
        winners++;
        upc_unlock(guard);
    }
    upc_barrier;
    CHECK_EQ(winners, 1);
    if (won)
        upc_unlock(prize);
    upc_barrier;
    upc_all_lock_free(guard);
    upc_all_lock_free(prize);
    return check_done();
}
