// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 4x1 1x4 2x2 3x1
//@ upcrun
//@ exit: 137
//@ stderr: SIGKILL
//@ repeat: 13
//@ limit: 2
// kill -9 of one process ends the job, with a message.
#include "inputs/others.h"

int main(void) {
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        kill(getpid(), SIGKILL);
    return others();
}

/* stdout:
*/
