// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 3x1 1x3
//@ sort
// What a forked child prints has its own thread's line before it, and nobody else's.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <upc.h>

int main(void)
{
    printf("thread %d", MYTHREAD);
    upc_barrier;
    if (MYTHREAD == 1) {
        if (fork() == 0) {
            printf(" has a child\n");
            exit(0);
        }
        wait(NULL);
    }
    upc_barrier;
    printf(" ends\n");
    return 0;
}
/* stdout:
thread 0 ends
thread 1 ends
thread 1 has a child
thread 2 ends
*/
