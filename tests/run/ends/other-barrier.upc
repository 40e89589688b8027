// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 4x1 1x4 2x2 3x1
//@ upcrun
//@ warn: W0508
//@ exit: 1
//@ stderr: R0306
//@ limit: 5
// One thread comes to a collective call that the others do not make.
#include <upc.h>

int main(void) {
    if (MYTHREAD == THREADS - 1)
        upc_all_alloc(THREADS, 100);
    upc_barrier;
    return 0;
}

/* stdout:
*/
