// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ mappings: 2x1 1x2 3x1 2x2 1x5
//@ exit: 1
//@ stderr: R0501
//@ stderr: the handle was made for thread 0 by upc_memset_nb
// A debug build says that a handle is another thread's.
#include <upc.h>
#include <upc_nb.h>

shared int x;
shared upc_handle_t box;

int main(void)
{
    if (MYTHREAD == 0)
        box = upc_memset_nb(&x, 0, sizeof x);
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        upc_sync_attempt(box);
    upc_barrier;
    return 0;
}

/* stdout:
*/
