// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 4x1 1x4 2x2 3x1
//@ upcrun
//@ exit: 134
//@ stderr: SIGABRT
//@ repeat: 13
//@ limit: 2
// abort in one thread ends the job; the message names the thread and the signal.
#include "inputs/others.h"

int main(void) {
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        abort();
    return others();
}

/* stdout:
*/
