// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ exit: 1
//@ stderr: R0309
//@ stderr: phase 0; thread and phase
// dst must have src's phase.
#include <upc.h>
#include <upc_collective.h>

static shared int a[8 * THREADS], b[8 * THREADS];

int main(void)
{
    shared [4] int *src = (shared [4] int *)a, *dst = (shared [4] int *)b;
    upc_all_prefix_reduceI(dst + 1, src, UPC_ADD, 4, 4, NULL, 0);
    return 0;
}
