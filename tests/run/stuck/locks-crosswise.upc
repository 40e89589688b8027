// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2x1 1x2 2x2 2:2x1 2:2x2 3:3x2
//@ flags: -g
//@ limit: 20
//@ exit: 1
//@ stderr: R0310
//@ stderr: thread 0 waits in upc_lock (tests/run/stuck/locks-crosswise.upc:22) for a lock of thread
//@ stderr: , which took it at tests/run/stuck/locks-crosswise.upc:19; thread
//@ stderr: waits in upc_lock (tests/run/stuck/locks-crosswise.upc:24) for a lock of thread 0, which took it at tests/run/stuck/locks-crosswise.upc:17
// Two threads take two locks in different orders, and the others wait for them at a barrier.
#include <upc.h>

int main(void)
{
    upc_lock_t *one = upc_all_lock_alloc(), *other = upc_all_lock_alloc();
    if (MYTHREAD == 0)
        upc_lock(one);
    if (MYTHREAD == THREADS - 1)
        upc_lock(other);
    upc_barrier;
    if (MYTHREAD == 0)
        upc_lock(other);
    if (MYTHREAD == THREADS - 1)
        upc_lock(one);
    upc_barrier;
    return 0;
}
