// SPDX-License-Identifier: BSD-3-Clause
// A job that ends badly, in the way its first argument names; the second is the guilty thread.
// Thread 0 prints the process numbers of all threads, then `ready`. The innocent wait in a
// barrier, and those with odd numbers compute for ever.
#include <upc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

shared int pids[THREADS];

static void end(const char *how) {
    if (strcmp(how, "abort") == 0) {
        abort();
    } else if (strcmp(how, "segfault") == 0) {
        *(volatile int *)8 = 1;
    } else if (strcmp(how, "exit") == 0) {
        exit(3);
    } else if (strcmp(how, "global-exit") == 0) {
        upc_global_exit(4);
    } else if (strcmp(how, "_exit") == 0) {
        _exit(0);
    }
}

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "wait";
    int guilty = argc > 2 ? atoi(argv[2]) : 0;
    pids[MYTHREAD] = getpid();
    upc_barrier;
    if (MYTHREAD == 0) {
        for (int i = 0; i < THREADS; i++) {
            printf("%d\n", pids[i]);
        }
        printf("ready\n");
        fflush(stdout);
    }
    upc_barrier;
    if (MYTHREAD == guilty) {
        end(how);
    }
    volatile int forever = MYTHREAD % 2;
    while (forever) {
    }
    upc_barrier;
    return 0;
}
