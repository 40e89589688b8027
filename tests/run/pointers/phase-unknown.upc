// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1
//@ exit: 1
//@ stderr: R0305
// A phase that does not fit a generic pointer is never told wrongly.
#include <stdio.h>
#include <upc.h>

shared [1000000] char large[1000000 * THREADS];

int main(void)
{
    shared void *generic = &large[999999];
    if (MYTHREAD == 0) printf("%zu\n", upc_phaseof(generic));
    upc_barrier;
    return 0;
}
