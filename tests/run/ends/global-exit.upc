// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 4x1 1x4 2x2 3x1
//@ upcrun
//@ exit: 5
//@ repeat: 13
//@ limit: 2
// upc_global_exit ends the job at once.
#include "inputs/others.h"

int main(void) {
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        upc_global_exit(5);
    return others();
}

/* stdout:
*/
