// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 4x1 1x4 2x2 3x1
//@ exit: 137
//@ repeat: 13
//@ limit: 2
//@ one-host
// kill -9 of upcrun: the kernel ends its processes.
#include "inputs/others.h"

int main(void) {
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        kill(getppid(), SIGKILL);
    return others();
}

/* stdout:
*/
