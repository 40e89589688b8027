// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 16x1 1x16 4x4
// More threads than cores: barriers, locks and reductions still come to an end soon.
#include "../../check.h"

shared int values[THREADS];
shared long sum;

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    for (int i = 0; i < 300; i++) {
        values[MYTHREAD] = i;
        upc_barrier;
        CHECK_EQ(values[(MYTHREAD + i) % THREADS], i);
        upc_barrier;
        upc_lock(lock);
        sum++;
        upc_unlock(lock);
    }
    upc_barrier;
    CHECK_EQ(sum, 300 * THREADS);
    return check_done();
}
