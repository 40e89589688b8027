// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.4.1p4
// Either way of freeing fits either way of allocating a lock.
#include "../../check.h"

upc_lock_t *shared global;

int main(void)
{
    for (int i = 0; i < 20; i++) {
        upc_lock_t *all = upc_all_lock_alloc();
        if (MYTHREAD == 0)
            global = upc_global_lock_alloc();
        upc_barrier;
        upc_all_lock_free(global);
        if (MYTHREAD == THREADS - 1)
            upc_lock_free(all);
        upc_barrier;
    }
    return check_done();
}
