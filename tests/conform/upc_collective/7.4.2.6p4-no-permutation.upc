// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ mappings: 2x1 1x2 3x1 1x5
//@ exit: 1
//@ stderr: R0309
//@ stderr: perm[0] and perm[1] are both 1
// perm must hold each thread once.
#include <upc.h>
#include <upc_collective.h>

static shared int a[8 * THREADS], b[8 * THREADS], perm[THREADS];

int main(void)
{
    perm[MYTHREAD] = MYTHREAD;
    perm[0] = 1;
    upc_all_permute(a, b, perm, 4, 0);
    return 0;
}
