// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2
//@ exit: 4
// exit with a status other than 0 in one thread ends the others soon.
#include <stdlib.h>
#include <upc.h>

int main(void)
{
    if (MYTHREAD == THREADS - 1)
        exit(4);
    for (;;)
        upc_barrier;
}
/* stdout:
*/
