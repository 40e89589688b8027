// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ mappings: 3x1 1x2
//@ exit: 1
//@ stderr: R0309
//@ stderr: upc_all_reduceI: nelems is 18446744073709551615, more
// A negative number of elements is a large one; the reduction of so many hangs.
#include <upc.h>
#include <upc_collective.h>

static shared int a[8 * THREADS], b[8 * THREADS];

int main(void)
{
    upc_all_reduceI(&b[1], a, UPC_ADD, -1, 1, NULL, 0);
    return a[0] + b[0];
}
