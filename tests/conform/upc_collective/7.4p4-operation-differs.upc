// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ mappings: 2x1 1x2 3x1 1x5 2:4x1
//@ exit: 1
//@ stderr: R0308
//@ stderr: op is UPC_MIN in thread 0 (upc_collective/7.4p4-operation-differs.upc:16), but UPC_MAX in thread 1 (upc_collective/7.4p4-operation-differs.upc:16)
// Threads give different operations.
#include <upc.h>
#include <upc_collective.h>

static shared int a[THREADS], least;

int main(void)
{
    upc_op_t op = MYTHREAD == 1 ? UPC_MAX : UPC_MIN;
    upc_all_reduceI(&least, a, op, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    return 0;
}
