/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <upc.h>

shared int number[THREADS];

int main(void) {
    number[MYTHREAD] = MYTHREAD;
    upc_barrier;
    int sum = 0;
    for (int i = 0; i < THREADS; i++) {
        sum += number[i];
    }
    if (MYTHREAD == 0) {
        printf("%d of %d\n", sum, THREADS);
    }
    return 0;
}
