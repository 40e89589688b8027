// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ mappings: 3x1 1x2
//@ exit: 1
//@ stderr: R0309
//@ stderr: upc_all_permute: perm is null
// A null pointer is named.
#include <upc.h>
#include <upc_collective.h>

static shared int a[8 * THREADS], b[8 * THREADS];

int main(void)
{
    upc_all_permute(a, b, NULL, 4, 0);
    return a[0] + b[0];
}
