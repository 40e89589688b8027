// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ mappings: 1x1 3x1 1x2
//@ exit: 1
//@ stderr: R0501
//@ stderr: bupc_begin_accessregion within an access region
// Access regions do not nest.
#include <upc.h>

shared [8] char x[8 * THREADS];

int main(void)
{
    char here[8] = {0};
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        bupc_begin_accessregion();
        bupc_begin_accessregion();
    }
    upc_barrier;
    return here[0];
}

/* stdout:
*/
