// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 4x1 1x4 2x2 3x1
//@ exit: 130
//@ repeat: 13
//@ limit: 2
//@ one-host
// Ctrl-C reaches upcrun, which ends all processes.
#include "inputs/others.h"

int main(void) {
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        kill(getppid(), SIGINT);
    return others();
}

/* stdout:
*/
