/* SPDX-License-Identifier: BSD-3-Clause */
//@ mappings: 1x1 1x4 2x2 3x1
//@ exit: 9
//@ stderr: leaving
/* exit in a region ends the program on all hosts. */
#include "../inputs/check.h"

int main(void) {
    int last = omp_get_max_threads() - 1;
#pragma omp parallel
    if (omp_get_thread_num() == last) {
        fputs("leaving\n", stderr);
        puts("ok");
        exit(9);
    }
    return 1;
}
