// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 4x1 1x4 2x2 3x1
//@ exit: 143
//@ repeat: 13
//@ limit: 2
//@ one-host
// SIGTERM to upcrun, as a batch system sends it.
#include "inputs/others.h"

int main(void) {
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        kill(getppid(), SIGTERM);
    return others();
}

/* stdout:
*/
