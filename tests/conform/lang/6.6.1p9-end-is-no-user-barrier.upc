// SPDX-License-Identifier: BSD-3-Clause
//@ warn: W0508
//@ spec: 6.6.1p9
//@ mappings: 2x1 1x2
//@ exit: 1
//@ stderr: barrier
// The barrier at the end of a program has no value that a user's barrier could have.
#include <upc.h>

int main(void)
{
    if (MYTHREAD == 0)
        upc_barrier 0;
    return 0;
}
/* stdout:
*/
