// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2 1x7
//@ sort
// What a thread registers by atexit is called once, by that thread, last first, with its own statics.
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>

static int value;

static void last(void) {
    if (value != MYTHREAD + 2) printf("thread %d has %d\n", MYTHREAD, value);
    if (MYTHREAD == 0) puts("ok");
}

static void first(void) {
    if (value != MYTHREAD + 1) printf("thread %d has %d at first\n", MYTHREAD, value);
    value++;
    atexit(last);
}

int main(void) {
    value = MYTHREAD + 1;
    atexit(first);
    upc_barrier;
    if (MYTHREAD == THREADS - 1) exit(0);
    return 0;
}
