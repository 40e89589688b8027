// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2x1 1x3
//@ exit: 1
//@ stderr: R0503
//@ stderr: rootthread is -2, but the program has the threads 0 to
// The root is one of the program's threads.
#include <bupc_collectivev.h>
#include <stdio.h>
#include <upc.h>

int main(void)
{
    int value = MYTHREAD;
    printf("%d\n", bupc_allv_broadcast(int, value, -2));
    return 0;
}
