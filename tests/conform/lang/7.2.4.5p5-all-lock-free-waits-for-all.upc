// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.4.5p5
//@ mappings: 2x1 1x2 1x3 2x2
// The lock stays valid until every thread has entered upc_all_lock_free.
#include "../../check.h"
#include <unistd.h>

int main(void)
{
    for (int i = 0; i < 10; i++) {
        upc_lock_t *lock = upc_all_lock_alloc();
        if (MYTHREAD == THREADS - 1) {
            usleep(3000);
            upc_lock(lock);
            upc_unlock(lock);
        }
        upc_all_lock_free(lock);
        upc_lock_t *other = upc_global_lock_alloc();
        upc_lock(other);
        upc_unlock(other);
        upc_lock_free(other);
    }
    return check_done();
}
