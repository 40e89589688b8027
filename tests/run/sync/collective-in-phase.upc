// SPDX-License-Identifier: BSD-3-Clause
//@ warn: W0511
//@ mappings: 1x1 3x1 1x3
//@ exit: 1
//@ stderr: R0307
//@ stderr: calls upc_all_alloc between upc_notify
//@ stderr: collective-in-phase.upc:14
// The message says it in the terms of the program, though the barrier within would also notice.
#include <stdio.h>
#include <upc.h>

int main(void)
{
    upc_notify;
    shared void *p = upc_all_alloc(THREADS, 8);
    upc_wait;
    printf("%d\n", p != NULL);
    return 0;
}
