// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ mappings: 2x1 1x2 3x1 1x5 2:4x1
//@ exit: 1
//@ stderr: R0306
//@ stderr: different-functions.upc:22)
//@ stderr: thread 1
//@ stderr: upc_all_gather
//@ stderr: upc_all_scatter
//@ stderr: different-functions.upc:20)
// Threads call different functions.
#include <upc.h>
#include <upc_collective.h>

static shared int a[8 * THREADS], b[8 * THREADS];

int main(void)
{
    if (MYTHREAD == 1)
        upc_all_scatter(a, b, 4, 0);
    else
        upc_all_gather(a, b, 4, 0);
    return 0;
}
