// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ mappings: 1x1 3x1 1x2
//@ exit: 1
//@ stderr: R0501
//@ stderr: bupc_end_accessregion without bupc_begin_accessregion
// An access region has a begin.
#include <upc.h>

shared [8] char x[8 * THREADS];

int main(void)
{
    char here[8] = {0};
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        bupc_waitsync(bupc_end_accessregion());
    }
    upc_barrier;
    return here[0];
}

/* stdout:
*/
