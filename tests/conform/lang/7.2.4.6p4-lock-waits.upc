// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.4.6p4
//@ mappings: 2x1 1x2 3x1 2x2
// A thread waits while another holds the lock, however long.
#include "../../check.h"
#include <unistd.h>

shared int done;

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    if (MYTHREAD == 0)
        upc_lock(lock);
    upc_barrier;
    if (MYTHREAD == 0) {
        usleep(100000);
        done = 1;
        upc_unlock(lock);
    } else {
        upc_lock(lock);
        CHECK_EQ(done, 1);
        upc_unlock(lock);
    }
    upc_all_lock_free(lock);
    return check_done();
}
