// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.1p7
//@ mappings: 1x1 2x1 1x2
//@ exit: 1
//@ stderr: upc_wait
// A value given to wait that is not the consensus interrupts the program.
#include <upc.h>

int main(void)
{
    upc_notify 5;
    upc_wait 6;
    for (;;)
        upc_barrier;
}
/* stdout:
*/
