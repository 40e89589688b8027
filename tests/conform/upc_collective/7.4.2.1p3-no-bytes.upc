// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ exit: 1
//@ stderr: R0309
//@ stderr: nbytes is 0
// There must be something to copy.
#include <upc.h>
#include <upc_collective.h>

static shared int a[8 * THREADS], b[8 * THREADS];

int main(void)
{
    upc_all_broadcast(a, b, 0, 0);
    return 0;
}
