// SPDX-License-Identifier: BSD-3-Clause
//@ exit: 1
//@ stderr: R0501
//@ stderr: upc_sync: 0x1234 is no handle of a transfer
// What no function returned is no handle, in builds without -g too.
#include <upc.h>
#include <upc_nb.h>

int main(void)
{
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        upc_sync((upc_handle_t)0x1234);
    upc_barrier;
    return 0;
}

/* stdout:
*/
