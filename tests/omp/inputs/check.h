/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs check themselves: CHECK anywhere, `return result();` at the end of main. */
#ifndef CHECK_H
#define CHECK_H

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

/* Any thread may fail; that one did is all that matters. */
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            _Pragma("omp critical(check)") failures++;                                             \
            fprintf(stderr, "%s:%d: not so: %s (thread %d)\n", __FILE__, __LINE__, #condition,     \
                    omp_get_thread_num());                                                         \
        }                                                                                          \
    } while (0)

static int result(void) {
    if (failures == 0) {
        puts("ok");
    }
    return failures != 0;
}

#endif
