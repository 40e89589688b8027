// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2x1 1x3
//@ flags: -g
//@ exit: 1
//@ stderr: R0308
//@ stderr: rootthread is 0 in thread 0 (tests/run/bupc/wrong-allv-root-differs.upc:15), but 1 in thread 1
// The root is the same in all threads.
#include <bupc_collectivev.h>
#include <stdio.h>
#include <upc.h>

int main(void)
{
    int value = MYTHREAD;
    bupc_allv_reduce(int, value, MYTHREAD % 2, UPC_ADD);
    return 0;
}
