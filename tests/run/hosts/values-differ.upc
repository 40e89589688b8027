// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2:2x1 3:5x1 2:2x3
//@ exit: 1
//@ stderr: R0301
//@ stderr: values-differ.upc:14
//@ stderr: values-differ.upc:16
// Values that differ between hosts are told with the lines of both.
#include <upc.h>

int main(void)
{
    upc_barrier 1;
    if (MYTHREAD == THREADS - 1)
        upc_barrier 2;
    else if (MYTHREAD == 0)
        upc_barrier 3;
    else
        upc_barrier;
    return 0;
}
/* stdout:
*/
