// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ exit: 1
//@ stderr: R0503
//@ stderr: upc_thread_info: there is no thread
// A debug build ends when a thread is asked for that does not exist.
#include <upc.h>
#include <upc_castable.h>

int main(void)
{
    upc_barrier;
    if (MYTHREAD == 0)
        upc_thread_info(THREADS);
    upc_barrier;
    return 0;
}

/* stdout:
*/
