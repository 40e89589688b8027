// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 4x1 1x4 2x2 3x1
//@ upcrun
//@ exit: 1
//@ stderr: the end of the program
//@ limit: 5
// One thread returns while the others wait for it in a barrier.
#include <upc.h>

int main(void) {
    if (MYTHREAD == THREADS - 1)
        return 0;
    upc_barrier;
    return 0;
}

/* stdout:
*/
