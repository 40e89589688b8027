// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.4.5p2 7.2.4.5p4
// So it can collectively.
#include "../../check.h"

int main(void)
{
    for (int i = 0; i < 20; i++) {
        upc_lock_t *lock = upc_all_lock_alloc();
        if (MYTHREAD == i % THREADS)
            upc_lock(lock);
        upc_all_lock_free(lock);
    }
    return check_done();
}
