// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 3x1 1x3
//@ flags: -g
//@ exit: 1
//@ stderr: R0308
//@ stderr: upc_all_free: ptr is offset
//@ stderr: but null in thread 2
// All threads must free the same.
#include <upc.h>

int main(void)
{
    shared void *p = upc_all_alloc(THREADS, 8);
    upc_all_free(MYTHREAD == 2 ? NULL : p);
    return 0;
}
