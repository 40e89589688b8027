// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x3 2x1 3x1 2x2
// Threads in a row hand values on by flags and flushes alone, as NPB's LU does: who finds a flag set
// takes it back, and that is not lost. All flags are in one page.
#include <omp.h>
#include <stdio.h>

enum { TIMES = 400, MOST = 64 };

static struct {
    int set[MOST], values[MOST][16];
} row __attribute__((aligned(4096)));

static void wait_while(volatile int *flag, int is) {
    while (*flag == is) {
#pragma omp flush
    }
}

int main(void) {
    int bad = 0;
#pragma omp parallel reduction(+ : bad)
    {
        int me = omp_get_thread_num(), last = omp_get_num_threads() - 1;
        for (int time = 1; time <= TIMES; time++) {
            if (me > 0) {
#pragma omp flush
                wait_while(&row.set[me - 1], 0);
                row.set[me - 1] = 0;
#pragma omp flush
                bad += row.values[me - 1][time % 16] != time;
            }
            row.values[me][time % 16] = time;
#pragma omp flush
            if (me < last) {
                wait_while(&row.set[me], 1);
                row.set[me] = 1;
#pragma omp flush
            }
        }
    }
    if (bad) {
        printf("%d values are not those that were handed on\n", bad);
        return 1;
    }
    puts("ok");
    return 0;
}
