// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2:2x1 3:3x1 2:4x2 2x1
//@ flags: -g
//@ limit: 20
//@ exit: 1
//@ stderr: R0310
//@ stderr: thread 0 waits in upc_lock (tests/run/stuck/lock-kept.upc:25) for a lock of thread
//@ stderr: , which took it at tests/run/stuck/lock-kept.upc:20; thread
//@ stderr: waits in upc_barrier (tests/run/stuck/lock-kept.upc:24)
// The lock is thread 0's; the process of the last thread has taken it so often that it keeps it.
#include <upc.h>

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    int last = MYTHREAD == THREADS - 1;
    for (int i = 0; last && i < 1000; i++) {
        if (i > 0)
            upc_unlock(lock);
        upc_lock(lock);
    }
    upc_barrier;
    if (last)
        upc_barrier;
    upc_lock(lock);
    upc_unlock(lock);
    upc_barrier;
    return 0;
}
