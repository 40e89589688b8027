/* SPDX-License-Identifier: BSD-3-Clause */
/* Each thread adds up the elements that it holds; the build says how many there are. */
#include "sum.h"

#include <upc.h>

#ifndef ELEMENTS
#error "the build system gives ELEMENTS"
#endif

static shared int element[ELEMENTS * THREADS];

int main(void) {
    long mine = 0;
    upc_forall (int i = 0; i < ELEMENTS * THREADS; i++; &element[i]) {
        element[i] = i % ELEMENTS + 1;
        mine += element[i];
    }
    long sum = sum_of_threads(mine);
    if (MYTHREAD == 0) {
        describe(THREADS, sum);
    }
    return sum != (long)THREADS * ELEMENTS * (ELEMENTS + 1) / 2;
}
