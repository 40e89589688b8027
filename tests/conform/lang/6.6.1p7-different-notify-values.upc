// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.1p7
//@ mappings: 2x1 1x2 2x2
//@ exit: 1
//@ stderr: barrier
// Values given to notify that differ interrupt the program.
#include <upc.h>

int main(void)
{
    upc_barrier 10 + MYTHREAD;
    for (;;)
        upc_barrier;
}
/* stdout:
*/
