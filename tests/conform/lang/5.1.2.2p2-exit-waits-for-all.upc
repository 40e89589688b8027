// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 5.1.2.2p2
//@ mappings: 2x1 1x2 3x1 2x2
// exit(0) ends the thread like a return from main: the others go on, and the data stays.
#include "../../check.h"
#include <unistd.h>

shared int value[THREADS];

static void leave(void)
{
    exit(0);
}

int main(void)
{
    value[MYTHREAD] = MYTHREAD + 1;
    upc_barrier;
    if (MYTHREAD == 0)
        leave();
    usleep(50000);
    CHECK_EQ(value[0], 1);
    if (MYTHREAD == THREADS - 1 && check_failures == 0)
        puts("ok");
    return check_failures != 0;
}
