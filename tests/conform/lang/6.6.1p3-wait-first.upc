// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.1p3
//@ mappings: 1x1 2x1 1x2
//@ warn: W0511
//@ exit: 1
//@ stderr: R0303
// A wait without its notify ends the program with a message.
#include <upc.h>

int main(void)
{
    upc_wait;
    return 0;
}
/* stdout:
*/
