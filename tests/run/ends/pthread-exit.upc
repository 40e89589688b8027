// SPDX-License-Identifier: BSD-3-Clause
// A UPC thread that ends itself by pthread_exit ends as one that returns from main.
//@ mappings: 1x1 3x1 1x3 2x2 2:2x1 2:2x2
#include <pthread.h>
#include <stdio.h>
#include <upc.h>

shared int ends[THREADS];

int main(void) {
    ends[MYTHREAD] = 1;
    upc_barrier;
    if (MYTHREAD == 0 && ends[THREADS - 1]) {
        puts("ok");
    }
    pthread_exit(NULL);
}
