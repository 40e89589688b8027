// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 5.1.2p3
//@ mappings: 2x1 1x2 3x1 2x2
// Returning from main waits for all: thread 0 is gone first, yet the others finish their work.
#include "../../check.h"
#include <unistd.h>

int main(void)
{
    if (MYTHREAD == 0)
        return 0;
    usleep(100000);
    if (MYTHREAD == THREADS - 1) {
        puts("ok");
        fflush(stdout);
    }
    return 0;
}
