/* SPDX-License-Identifier: BSD-3-Clause */
//@ mappings: 1x4 2x2 4x1
//@ exit: 139
//@ stderr: thread 3 received SIGSEGV (signal 11, segmentation fault) at address 0x1234
/* A wild pointer is a segmentation fault of the thread that has it. */
#include "../inputs/check.h"

int main(void) {
    int last = omp_get_max_threads() - 1;
    puts("ok");
#pragma omp parallel
    if (omp_get_thread_num() == last) {
        *(volatile int *)0x1234 = 1;
    }
    return 0;
}
