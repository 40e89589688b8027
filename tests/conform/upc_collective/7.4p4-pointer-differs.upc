// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ mappings: 2x1 1x2 3x1 1x5
//@ exit: 1
//@ stderr: R0308
//@ stderr: src is thread 0's part of `b` in thread 0 (upc_collective/7.4p4-pointer-differs.upc:15), but byte 4 of thread 0's part of `b` in thread 1
// Threads give different pointers.
#include <upc.h>
#include <upc_collective.h>

static shared int a[8 * THREADS], b[8 * THREADS];

int main(void)
{
    upc_all_gather(&a[0], MYTHREAD == 1 ? &b[THREADS] : b, 4, UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    return 0;
}
