/* SPDX-License-Identifier: BSD-3-Clause */
//@ mappings: 1x1 1x4 2x2 3x1 4x2
//@ not-clang: nested functions are gcc's
/* Pointers to nested functions lead to code that stands on a stack, which may be another host's. */
#include "../inputs/check.h"

static int call(int (*function)(int), int argument) {
    return function(argument);
}

/* Not in the region itself, where gcc has one frame for the nested functions of all threads. */
static int nothing(int me) {
    int own(int i) {
        return me + i;
    }
    int (*volatile of_thread)(int) = own;
    return call(of_thread, -me);
}

int main(void) {
    int base = 40, sum = 0;
    int plus(int i) {
        return base + i;
    }
    int (*volatile of_main)(int) = plus;
#pragma omp parallel reduction(+ : sum)
    sum += call(of_main, 2) - nothing(omp_get_thread_num());
    CHECK(sum == 42 * omp_get_max_threads());
    return result();
}
