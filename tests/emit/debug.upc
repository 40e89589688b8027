// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
// The runtime is told where collective functions are called.
#include <upc.h>
#include <upc_collective.h>

shared int a[THREADS];

void f(int x)
{
    shared int *p = upc_all_alloc(THREADS, sizeof(int));
    upc_all_broadcast(p, a, x, UPC_IN_MYSYNC |
                                   UPC_OUT_MYSYNC);
    upc_all_free(p);
    upc_free(0);
}
