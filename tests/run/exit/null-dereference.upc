// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x2
//@ exit: 1
// An access through a null pointer-to-shared ends the job with a message naming the thread.
//@ stderr: thread 0: error[R0704]: tests/run/exit/null-dereference.upc:13: an access through a null
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
