// SPDX-License-Identifier: BSD-3-Clause
//@ exit: 1
//@ stderr: R0503
//@ stderr: upcx_process_first: there is no process
// A process that does not exist has no threads.
#include <upc.h>
#include <upcx_process.h>

int main(void)
{
    upc_barrier;
    if (MYTHREAD == 0)
        upcx_process_first(upcx_processes());
    upc_barrier;
    return 0;
}

/* stdout:
*/
