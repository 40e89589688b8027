// SPDX-License-Identifier: BSD-3-Clause
// What the other threads do when one ends the job: wait for a barrier that never completes,
// compute, or sleep. Whoever comes back from here has survived, and says so.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <upc.h>

static volatile unsigned long work;

static int others(void) {
    switch (MYTHREAD % 3) {
    case 0:
        upc_barrier;
        break;
    case 1:
        while (work + 1 != 0)
            work++;
        break;
    default:
        sleep(60);
    }
    puts("survived");
    return 0;
}
