// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.1p7
//@ mappings: 2x1 1x2 2x2
//@ exit: 1
//@ stderr: upc_wait
// The consensus of one notify counts against another thread's wait.
#include <upc.h>

int main(void)
{
    if (MYTHREAD == 0)
        upc_notify 1;
    else
        upc_notify;
    if (MYTHREAD == THREADS - 1)
        upc_wait 2;
    else
        upc_wait;
    for (;;)
        upc_barrier;
}
/* stdout:
*/
