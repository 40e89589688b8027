// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ mappings: 2x1 1x2 3x1 1x5
//@ exit: 1
//@ stderr: R0309
//@ stderr: dst points to memory of thread 1
// dst must begin on thread 0.
#include <upc.h>
#include <upc_collective.h>

static shared int a[8 * THREADS], b[8 * THREADS];

int main(void)
{
    upc_all_broadcast(&a[1], b, 4, 0);
    return 0;
}
