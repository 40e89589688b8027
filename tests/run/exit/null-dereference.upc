// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x2
//@ exit: 139
// An access through a null pointer-to-shared ends the job with a message naming the thread.
//@ stderr: thread
#include <upc.h>

shared int *volatile p;

int main(void)
{
    if (MYTHREAD == 0)
        *p = 5;
    upc_barrier;
    return 0;
}
/* stdout:
*/
