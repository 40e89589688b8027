// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.1p2
//@ mappings: 1x1 3x1 1x3
// Status 0 is success, also while others wait at a barrier or for a lock.
#include "../../check.h"

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    if (MYTHREAD == 0)
        upc_lock(lock);
    upc_barrier;
    if (MYTHREAD == 1)
        upc_lock(lock);
    if (MYTHREAD == 0) {
        puts("ok");
        upc_global_exit(0);
    }
    upc_barrier;
    return 1;
}
