// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 3x1 1x3 2x2 2:2x2 3:3x1
//@ limit: 20
//@ warn: W0508
//@ exit: 1
//@ stderr: R0310
//@ stderr: thread 1 waits in upc_lock for a lock of thread 0; thread 0 waits in upc_barrier (tests/run/stuck/lock-and-barrier.upc:19)
//@ not-checked: -check implies -g, with which the message says more
// A thread keeps a lock at a barrier to which the others come only when they have had it.
#include <upc.h>

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    if (MYTHREAD == 0)
        upc_lock(lock);
    upc_barrier;
    if (MYTHREAD == 0)
        upc_barrier;
    upc_lock(lock);
    upc_unlock(lock);
    upc_barrier;
    return 0;
}
