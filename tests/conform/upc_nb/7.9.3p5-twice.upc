// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ exit: 1
//@ stderr: R0501
//@ stderr: upc_sync: the handle, made by upc_memput_nb, has been synchronised before
// A debug build says that a handle is used again.
#include <upc.h>
#include <upc_nb.h>

shared int x[THREADS];

int main(void)
{
    int one = 1;
    upc_handle_t handle = upc_memput_nb(&x[MYTHREAD], &one, sizeof one);
    upc_barrier;
    if (MYTHREAD == 0) {
        if (!upc_sync_attempt(handle))
            return 2;
        upc_sync(handle);
    }
    upc_barrier;
    return 0;
}

/* stdout:
*/
