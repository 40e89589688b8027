// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 3x1 1x3 2:3x1
//@ flags: -g
//@ limit: 20
//@ exit: 1
//@ stderr: R0310
//@ stderr: thread 0 waits in upc_lock (tests/run/stuck/locks-in-a-ring.upc:29) for a lock of thread 1, which took it at tests/run/stuck/locks-in-a-ring.upc:25;
//@ stderr: ; thread 1 waits in upc_lock (tests/run/stuck/locks-in-a-ring.upc:29) for a lock of thread 2, which took it at
//@ stderr: ; thread 2 waits in upc_lock (tests/run/stuck/locks-in-a-ring.upc:29) for a lock of thread 0, which took it at
// Philosophers: all wait in the same line, each for its neighbour. Locks that were released before are
// not named.
#include <upc.h>

static upc_lock_t *shared forks[THREADS];

int main(void)
{
    upc_lock_t *before = upc_all_lock_alloc();
    forks[MYTHREAD] = upc_global_lock_alloc();
    upc_barrier;
    for (int i = 0; i < 10; i++) {
        upc_lock(before);
        upc_unlock(before);
    }
    if (!upc_lock_attempt(forks[MYTHREAD]))
        return 1;
    upc_barrier;
    /* The last one takes its neighbour's, too. */
    upc_lock(forks[(MYTHREAD + 1) % THREADS]);
    upc_barrier;
    return 0;
}
