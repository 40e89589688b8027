// SPDX-License-Identifier: BSD-3-Clause
//@ exit: 1
//@ stderr: R0503
//@ stderr: upcx_signal: there is no thread
// A thread that does not exist cannot be signalled, whatever the program was compiled with.
#include <upc.h>
#include <upcx_pairwise.h>

int main(void)
{
    upc_barrier;
    if (MYTHREAD == 0)
        upcx_signal(THREADS);
    upc_barrier;
    return 0;
}

/* stdout:
*/
