// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 4x1 1x4 2x2 3x1 1x2
//@ one-host
//@ limit: 20
//@ warn: W0508
//@ exit: 1
//@ stderr: R0306
//@ stderr: upc_all_broadcast
//@ stderr: upc_barrier (
//@ stderr: barrier-and-collective.upc:21)
//@ not-checked: -check implies -g, with which the message says more
// One thread leaves out a collective call, and comes to a barrier, where there is no -g.
#include <upc.h>
#include <upc_collective.h>

static shared int a[THREADS], b[THREADS];

int main(void)
{
    if (MYTHREAD == THREADS - 1)
        upc_barrier;
    upc_all_broadcast(a, &b[THREADS - 1], sizeof(int), UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
    upc_barrier;
    return 0;
}
