// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 3x1 2x2 2:2x1
//@ upcrun
//@ exit: 129
//@ stderr: killed by SIGHUP
// A process that gets SIGHUP dies of it, whatever the library of the network does with that signal.
#include "inputs/others.h"

int main(void) {
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        raise(SIGHUP);
    return others();
}

/* stdout:
*/
