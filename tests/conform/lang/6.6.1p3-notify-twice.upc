// SPDX-License-Identifier: BSD-3-Clause
//@ warn: W0511
//@ spec: 6.6.1p3
//@ mappings: 1x1 2x1 1x2
//@ exit: 1
//@ stderr: R0302
// notify and wait alternate: a second notify ends the program with a message.
#include <upc.h>

int main(void)
{
    upc_notify;
    upc_notify;
    upc_wait;
    upc_wait;
    return 0;
}
/* stdout:
*/
