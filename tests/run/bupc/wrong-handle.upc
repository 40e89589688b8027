// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -g
//@ mappings: 1x1 3x1 1x2
//@ exit: 1
//@ stderr: R0501
//@ stderr: bupc_waitsync_all: the handle, made by bupc_memget_strided_async, has been synchronised
//@ not-checked: the checker synchronises one handle at a time, and messages say so
// A handle is in one place of one array.
#include <upc.h>

shared [8] char x[8 * THREADS];

int main(void)
{
    char here[8] = {0};
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        size_t count = 8;
        bupc_handle_t handles[2];
        handles[0] = bupc_memget_strided_async(here, NULL, &x[0], NULL, &count, 0);
        handles[1] = handles[0];
        bupc_waitsync_all(handles, 2);
    }
    upc_barrier;
    return here[0];
}

/* stdout:
*/
