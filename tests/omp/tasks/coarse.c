/* SPDX-License-Identifier: BSD-3-Clause */
//@ mappings: 1x2 1x3 1x16 2x2
/* Who has executed many short tasks at once leaves some of the long ones that follow to others. */
#include "../inputs/check.h"

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

int main(void) {
    int own = LONG;
#pragma omp parallel
#pragma omp single
    {
        make_short();
        own = make_long();
    }
    CHECK(own < LONG);
#pragma omp parallel
#pragma omp single
    make_short();
#pragma omp parallel
#pragma omp single
    own = make_long();
    CHECK(own < LONG);
    return result();
}
