// SPDX-License-Identifier: BSD-3-Clause
// void main ends with status 0.
#include <stdio.h>
#include <upc.h>

void main(void)
{
    upc_barrier;
    if (MYTHREAD == 0)
        printf("%s\n", THREADS > 0 ? "ok" : "no");
}
