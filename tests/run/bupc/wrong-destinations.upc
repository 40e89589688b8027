// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ mappings: 1x1 3x1 1x2
//@ exit: 1
//@ stderr: R0502
//@ stderr: bupc_memget_ilist_async: two regions of the destination overlap
// Bytes of the destination are named once.
#include <upc.h>

shared [8] char x[8 * THREADS];

int main(void)
{
    char here[8] = {0};
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        void *to[2] = {here, here + 3};
        shared const void *from = &x[0];
        bupc_waitsync(bupc_memget_ilist_async(2, to, 4, 1, &from, 8));
    }
    upc_barrier;
    return here[0];
}

/* stdout:
*/
