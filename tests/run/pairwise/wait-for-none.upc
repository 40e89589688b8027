// SPDX-License-Identifier: BSD-3-Clause
//@ exit: 1
//@ stderr: R0309
//@ stderr: upcx_wait_any: the set has no threads
// Nobody could end such a wait.
#include <upc.h>
#include <upcx_pairwise.h>

int main(void)
{
    upc_barrier;
    upcx_sync(NULL, 0);
    if (MYTHREAD == 0)
        upcx_wait_any(NULL, 0);
    upc_barrier;
    return 0;
}

/* stdout:
*/
