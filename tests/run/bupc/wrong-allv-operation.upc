// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2x1 1x3
//@ exit: 1
//@ stderr: R0309
//@ stderr: op is 666
// No such operation.
#include <bupc_collectivev.h>
#include <stdio.h>
#include <upc.h>

int main(void)
{
    int value = MYTHREAD;
    bupc_allv_reduce_all(int, value, 666);
    return 0;
}
