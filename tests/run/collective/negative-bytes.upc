// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ mappings: 3x1 1x2
//@ exit: 1
//@ stderr: R0309
//@ stderr: upc_all_broadcast: nbytes is 18446744073709551612, more
// A negative number of bytes is a large one.
#include <upc.h>
#include <upc_collective.h>

static shared int a[8 * THREADS], b[8 * THREADS];

int main(void)
{
    upc_all_broadcast(a, b, -4, 0);
    return a[0] + b[0];
}
