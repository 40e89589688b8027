// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2 2:2x2 4:4x1
//@ flags: -g
//@ exit: 1
//@ stderr: R0501
//@ stderr: made by upc_memget_nb, has been synchronised before
// An old handle is known for one although others, of other functions, were made since.
#include <upc.h>
#include <upc_nb.h>

shared int x[THREADS];

int main(void)
{
    int here;
    upc_handle_t old = upc_memget_nb(&here, &x[MYTHREAD], sizeof here);
    upc_sync(old);
    for (int i = 0; i < 1000; i++)
        upc_sync(upc_memset_nb(&x[MYTHREAD], 0, sizeof here));
    upc_handle_t open = upc_memset_nb(&x[MYTHREAD], 0, sizeof here);
    upc_barrier;
    if (MYTHREAD == 0)
        upc_sync(old);
    upc_sync(open);
    upc_barrier;
    return 0;
}

/* stdout:
*/
