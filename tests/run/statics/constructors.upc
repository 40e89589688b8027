// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2 1x7
// Constructors set the private statics of every thread, as if each had a process of its own.
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>

static int value = 1, *heap;
static int other;

__attribute__((constructor)) static void construct(void) {
    value += 4;
    heap = malloc(sizeof *heap);
    *heap = 3;
}

static void construct_other(void) __attribute__((constructor));
static void construct_other(void) { other = 7; }

int main(void) {
    if (value != 5 || *heap != 3 || other != 7) {
        printf("thread %d: %d %d %d\n", MYTHREAD, value, *heap, other);
        return 1;
    }
    upc_barrier;
    if (MYTHREAD == 0) puts("ok");
    return 0;
}
