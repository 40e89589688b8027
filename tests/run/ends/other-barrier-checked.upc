// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 4x1 1x4 2x2 3x1 2:4x1
//@ upcrun
//@ flags: -g
//@ exit: 1
//@ stderr: R0306
//@ stderr: other-barrier-checked.upc:16)
//@ stderr: other-barrier-checked.upc:17)
//@ limit: 5
// One thread comes to a barrier where the others compare the arguments of a collective call.
#include <upc.h>

int main(void)
{
    if (MYTHREAD != THREADS - 1)
        upc_all_alloc(THREADS, 100);
    upc_barrier;
    return 0;
}
/* stdout:
*/
