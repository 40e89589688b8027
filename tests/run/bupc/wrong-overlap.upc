// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ mappings: 1x1 3x1 1x2
//@ exit: 1
//@ stderr: R0502
//@ stderr: bupc_memcpy_fstrided: a region of the source overlaps one of the destination
// The source does not overlap the destination.
#include <upc.h>

shared [8] char x[8 * THREADS];

int main(void)
{
    char here[8] = {0};
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        bupc_memcpy_fstrided(&x[0], 1, 2, 3, &x[2], 1, 2, 3);
    }
    upc_barrier;
    return here[0];
}

/* stdout:
*/
