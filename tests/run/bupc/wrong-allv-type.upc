// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2x1 1x3
//@ flags: -g
//@ exit: 1
//@ stderr: R0308
//@ stderr: the size of TYPE is 4 in thread 0 (
//@ stderr: but 8 in thread 1 (
// TYPE is the same in all threads; both calls are named.
#include <bupc_collectivev.h>
#include <stdio.h>
#include <upc.h>

int main(void)
{
    int value = MYTHREAD;
    if (MYTHREAD == 1)
        bupc_allv_broadcast(double, value, 0);
    else
        bupc_allv_broadcast(int, value, 0);
    return 0;
}
