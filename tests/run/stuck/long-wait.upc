// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 3x1 1x3 2:4x1 2:2x2 3:3x1
// Threads may wait for a long time for one that is busy, in calls that differ, and for a lock.
#include <stdio.h>
#include <unistd.h>
#include <upc.h>
#include <upc_collective.h>

static shared int a[THREADS], b[THREADS];

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    if (MYTHREAD == 1)
        sleep(3);
    upc_all_broadcast(a, b, sizeof(int), UPC_IN_MYSYNC | UPC_OUT_NOSYNC);
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        upc_lock(lock);
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        sleep(2);
        upc_unlock(lock);
        sleep(3);
    } else {
        upc_lock(lock);
        upc_unlock(lock);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        puts("ok");
    return 0;
}
