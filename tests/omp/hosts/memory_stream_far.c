/* SPDX-License-Identifier: BSD-3-Clause */
//@ mappings: 2x1 3x1
//@ exit: 139
//@ stderr: in a stream of another host that is no file
/* A stream in memory is its host's only; another one's thread ends the program, and is told why. */
#include "../inputs/check.h"

int main(void) {
    char *text;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    puts("ok");
#pragma omp parallel
    if (omp_get_thread_num() == 1) {
        fputs("x", stream);
    }
    return 0;
}
