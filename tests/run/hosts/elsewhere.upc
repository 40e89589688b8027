// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2:2x1 3:5x1 2:2x3
//@ exit: 1
//@ stderr: R0306
//@ stderr: the end of the program
//@ stderr: elsewhere.upc:13
// A thread of one host that ends while those of another wait at a barrier.
#include <upc.h>

int main(void)
{
    if (MYTHREAD != THREADS - 1)
        upc_barrier;
    return 0;
}
/* stdout:
*/
