// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 3x1 1x3
// Threads may wait for a long time for one that is busy elsewhere, in calls that differ.
#include <stdio.h>
#include <unistd.h>
#include <upc.h>
#include <upc_collective.h>

static shared int a[THREADS], b[THREADS];

int main(void)
{
    if (MYTHREAD == 1)
        sleep(3);
    upc_all_broadcast(a, b, sizeof(int), UPC_IN_MYSYNC | UPC_OUT_NOSYNC);
    upc_barrier;
    if (MYTHREAD == 0)
        puts("ok");
    return 0;
}
