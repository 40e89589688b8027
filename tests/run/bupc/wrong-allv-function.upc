// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2x1 1x3
//@ exit: 1
//@ stderr: R0309
//@ stderr: func, which is null
// Values are not combined by functions.
#include <bupc_collectivev.h>
#include <stdio.h>
#include <upc.h>

int main(void)
{
    int value = MYTHREAD;
    bupc_allv_prefix_reduce(int, value, UPC_FUNC);
    return 0;
}
