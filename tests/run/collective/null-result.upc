// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ mappings: 3x1 1x2
//@ exit: 1
//@ stderr: R0309
//@ stderr: upc_all_reduceI: dst is null
// A null pointer is named.
#include <upc.h>
#include <upc_collective.h>

static shared int a[8 * THREADS], b[8 * THREADS];

int main(void)
{
    upc_all_reduceI(NULL, a, UPC_ADD, 8, 1, NULL, 0);
    return a[0] + b[0];
}
