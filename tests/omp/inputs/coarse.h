/* SPDX-License-Identifier: BSD-3-Clause */
/* Many short tasks, and a few long ones. */
#ifndef OMP_INPUTS_COARSE_H
#define OMP_INPUTS_COARSE_H

#include "check.h"

#include <time.h>

enum { SHORT = 100000, LONG = 10 };

static void make_short(void) {
    for (int i = 0; i < SHORT; i++) {
#pragma omp task
        __asm__ volatile("");
    }
}

/* How many of them the maker has had. */
static int make_long(void) {
    int maker = omp_get_thread_num(), own = 0;
    for (int i = 0; i < LONG; i++) {
#pragma omp task shared(own)
        {
            nanosleep(&(struct timespec){0, 50000000}, NULL);
            if (omp_get_thread_num() == maker) {
#pragma omp atomic
                own++;
            }
        }
    }
#pragma omp taskwait
    return own;
}

#endif
