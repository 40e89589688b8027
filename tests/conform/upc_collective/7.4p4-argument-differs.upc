// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ mappings: 2x1 1x2 3x1 1x5
//@ exit: 1
//@ stderr: R0308
//@ stderr: nbytes is 4 in thread 0, but 8 in thread 1
// Threads give different sizes.
#include <upc.h>
#include <upc_collective.h>

static shared int a[8 * THREADS], b[8 * THREADS];

int main(void)
{
    upc_all_broadcast(a, b, MYTHREAD == 1 ? 8 : 4, 0);
    return 0;
}
