/* SPDX-License-Identifier: BSD-3-Clause */
//@ mappings: 2x2
//@ exit: 1
//@ stderr: error[R0706]
/* fork is refused, with what to do instead. */
#include "../inputs/check.h"

#include <unistd.h>

int main(void) {
    puts("ok");
    return fork() == 0 ? omp_get_thread_num() : 0;
}
