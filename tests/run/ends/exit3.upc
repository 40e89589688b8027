// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 4x1 1x4 2x2 3x1
//@ upcrun
//@ exit: 3
//@ repeat: 13
//@ limit: 2
// exit with an error in one thread ends the job with its code.
#include "inputs/others.h"

int main(void) {
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        exit(3);
    return others();
}

/* stdout:
*/
