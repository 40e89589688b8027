// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.4.6p6 7.2.4.8p4
//@ mappings: 2x1 1x2 2x2
// What was written under the lock is seen under the lock, through local pointers too.
#include "../../check.h"

shared [8] int data[8 * THREADS];

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    for (int i = 0; i < 3000; i++) {
        upc_lock(lock);
        int first = data[0];
        for (int k = 1; k < 8; k++)
            CHECK_EQ(data[k], first);
        if (MYTHREAD == 0) {
            int *mine = (int *)data;
            for (int k = 7; k >= 0; k--)
                mine[k]++;
        } else {
            for (int k = 0; k < 8; k++)
                data[k]++;
        }
        upc_unlock(lock);
    }
    upc_barrier;
    CHECK_EQ(data[3], 3000 * THREADS);
    upc_all_lock_free(lock);
    return check_done();
}
