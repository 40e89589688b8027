// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 3x1 1x3
//@ flags: -g
//@ exit: 1
//@ stderr: R0308
//@ stderr: upc_all_alloc: nbytes is 10 in thread 0 (tests/run/alloc/all-alloc-sizes-differ.upc:13), but 20 in thread 1
// All threads must ask for the same.
#include <stdio.h>
#include <upc.h>

int main(void)
{
    printf("%d\n", upc_all_alloc(THREADS, MYTHREAD == 1 ? 20 : 10) != NULL);
    return 0;
}
