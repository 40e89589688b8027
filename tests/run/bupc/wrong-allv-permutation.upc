// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2x1 1x2
//@ flags: -g
//@ exit: 1
//@ stderr: R0309
//@ stderr: threads 0 and 1 both give their value to thread 0
// Each thread gets one value.
#include <bupc_collectivev.h>
#include <stdio.h>
#include <upc.h>

int main(void)
{
    int value = MYTHREAD;
    bupc_allv_permute(int, value, MYTHREAD / 2);
    return 0;
}
