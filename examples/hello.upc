// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 1x4 4x1 2x2 1x7 3x1 5x1
/*
 * Hello: every thread says its name, and thread 0 checks that all of them came.
 *
 * A UPC program is one C program that runs THREADS times at once. MYTHREAD says which copy this
 * is. Ordinary variables are private, one per thread; only what is declared `shared` is seen by
 * all.
 */
#include <stdio.h>
#include <upc_relaxed.h>

/* One element for each thread: element i lives in the memory of thread i. */
shared int arrived[THREADS];

int main(void) {
    printf("hello from thread %d of %d\n", MYTHREAD, THREADS);
    arrived[MYTHREAD] = MYTHREAD + 1;

    /* Nobody passes before all have come, and what they wrote before it can be read after it. */
    upc_barrier;

    if (MYTHREAD == 0) {
        for (int i = 0; i < THREADS; i++) {
            if (arrived[i] != i + 1) {
                printf("thread %d did not say hello\n", i);
                return 1;
            }
        }
        printf("ok\n");
    }
    return 0;
}
