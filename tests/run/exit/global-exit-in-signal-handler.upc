// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2
//@ exit: 6
// A signal handler ends the job, whatever it has interrupted: here the allocation of memory.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <upc.h>

static void end(int number)
{
    (void)number;
    upc_global_exit(6);
}

int main(void)
{
    printf("ok\n");
    upc_barrier;
    if (MYTHREAD == 0) {
        struct itimerval soon = {.it_value = {.tv_usec = 20000}};
        signal(SIGALRM, end);
        setitimer(ITIMER_REAL, &soon, NULL);
    }
    for (int i = 0;; i++) {
        volatile char *first = malloc(10000 + i % 500000), *second = malloc(3000);
        *first = *second = 1;
        free((void *)second);
        free((void *)first);
    }
}
