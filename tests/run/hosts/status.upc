// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2:2x1 3:5x1 2:2x3
//@ upcrun
//@ exit: 7
// The job's code is the largest status that a thread of any host returns.
#include <stdio.h>
#include <upc.h>

int main(void)
{
    if (MYTHREAD == 0)
        printf("ok\n");
    return MYTHREAD == THREADS - 1 ? 7 : MYTHREAD == 0 ? 3 : 0;
}
