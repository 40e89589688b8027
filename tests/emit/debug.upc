// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
// The runtime is told where collective functions, and those that take locks, are called.
#include <upc.h>
#include <upc_collective.h>

shared int a[THREADS];

void f(int x, upc_lock_t *lock)
{
    shared int *p = upc_all_alloc(THREADS, sizeof(int));
    upc_all_broadcast(p, a, x, UPC_IN_MYSYNC |
                                   UPC_OUT_MYSYNC);
    upc_all_free(p);
    upc_lock(lock);
    if (upc_lock_attempt(lock))
        upc_unlock(lock);
    upc_free(0);
}
