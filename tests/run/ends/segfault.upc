// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 4x1 1x4 2x2 3x1
//@ upcrun
//@ exit: 139
//@ stderr: SIGSEGV
//@ repeat: 13
//@ limit: 2
// A segmentation fault in one thread ends the job, with a message.
#include "inputs/others.h"

int main(void) {
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        *(volatile int *)8 = 1;
    return others();
}

/* stdout:
*/
