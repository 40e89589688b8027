// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.4.2p2
// A new lock is unlocked, even where a locked one has just been freed.
#include "../../check.h"

int main(void)
{
    for (int i = 0; i < 50; i++) {
        upc_lock_t *lock = upc_global_lock_alloc();
        CHECK_EQ(upc_lock_attempt(lock), 1);
        upc_lock_free(lock);
    }
    return check_done();
}
