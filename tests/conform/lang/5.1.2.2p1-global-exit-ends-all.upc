// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 5.1.2.2p1
//@ mappings: 1x1 3x1 1x3 2x2
//@ exit: 7
// A call of upc_global_exit by one thread ends the program though the others would never end.
#include <upc.h>

strict shared int never;

int main(void)
{
    if (MYTHREAD == THREADS - 1)
        upc_global_exit(7);
    while (!never)
        ;
    return 0;
}
/* stdout:
*/
