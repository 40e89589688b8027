// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ mappings: 2x1 1x2 3x1 1x5 2:4x1
//@ exit: 1
//@ stderr: R0308
//@ stderr: flags is UPC_IN_NOSYNC | UPC_OUT_MYSYNC in thread 0 (
//@ stderr: , but 0 in thread 1 (
// Threads give different flags.
#include <upc.h>
#include <upc_collective.h>

static shared int a[THREADS], least;

int main(void)
{
    upc_flag_t flags = MYTHREAD == 1 ? 0 : UPC_IN_NOSYNC | UPC_OUT_MYSYNC;
    upc_all_broadcast(a, &least, sizeof(int), flags);
    return 0;
}
