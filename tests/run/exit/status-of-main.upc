// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2
//@ exit: 3
// The program's status is the largest that a thread returns from main.
#include <upc.h>

int main(void)
{
    return MYTHREAD == THREADS - 1 ? 3 : 0;
}
/* stdout:
*/
