// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x4 1x7 2x3
//@ repeat: 13
//@ exit: 5
// upc_global_exit while all other threads are in the middle of a line.
#include <stdio.h>
#include <upc.h>

int main(void)
{
    upc_barrier;
    if (MYTHREAD == 0) {
        for (volatile int i = 0; i < 100000; i++) {
        }
        upc_global_exit(5);
    }
    for (int i = 0;; i++) {
        printf("thread %d is in a line", MYTHREAD);
        printf(" of two pieces, %d\n", i);
    }
}
