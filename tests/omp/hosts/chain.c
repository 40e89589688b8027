// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x4 2x1 3x1 4x1 2x2
// A chain of tasks goes on while the thread that has made it, and may be the only one of its host, is
// busy: each begins when the one before it has ended, on whichever host.
#include "../inputs/spin.h"
#include <omp.h>
#include <stdio.h>

enum { LENGTH = 5, TIMES = 3 };

static int at[TIMES];

int main(void) {
    int wrong = 0;
#pragma omp parallel
#pragma omp single
    for (int time = 0; time < TIMES; time++) {
        int x = 0;
        for (int i = 0; i < LENGTH; i++) {
#pragma omp task depend(inout : x) firstprivate(i, time) shared(x, wrong)
            {
                if (x++ != i) {
#pragma omp atomic
                    wrong++;
                }
#pragma omp atomic
                at[time]++;
            }
        }
        while (now(&at[time]) < LENGTH) {
        }
#pragma omp taskwait
    }
    puts(wrong ? "wrong" : "ok");
    return wrong;
}
