// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ mappings: 2x1 1x2 3x1 1x5 2:4x1
//@ exit: 1
//@ stderr: R0308
//@ stderr: nbytes is 4 in thread 0 (upc_collective/7.4p4-argument-differs.upc:18), but 8 in thread 1 (upc_collective/7.4p4-argument-differs.upc:16)
// Threads give different sizes.
#include <upc.h>
#include <upc_collective.h>

static shared int a[8 * THREADS], b[8 * THREADS];

int main(void)
{
    if (MYTHREAD == 1)
        upc_all_broadcast(a, b, 8, 0);
    else
        upc_all_broadcast(a, b, 4, 0);
    return 0;
}
