// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x4 2x1 3x1 4x1 2x2 3x2
// Tasks that have migrated in a batch, as earlier ones were worth it, and wait behind one that waits for
// their ends: they migrate again, to a further host or back.
#include "../inputs/spin.h"
#include <omp.h>
#include <stdio.h>

enum { WORK = 40, ROUNDS = 3, EACH = 16 };

static int left;

static void compute(double seconds) {
    double until = omp_get_wtime() + seconds;
    while (omp_get_wtime() < until) {
    }
}

static void work(void) {
    compute(0.0005);
#pragma omp atomic
    left--;
}

static void one_of(int n, int waits) {
    left = n - 1;
    for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i)
        {
            if (i == waits) {
                spin_while_more_than(0, &left);
            } else {
                work();
            }
        }
    }
#pragma omp taskwait
}

int main(void) {
    int sum = 0;
#pragma omp parallel
#pragma omp single
    {
        int n = EACH * omp_get_num_threads();
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < WORK; i++) {
#pragma omp task
                compute(0.002);
            }
#pragma omp taskwait
            one_of(n, round);
#pragma omp taskgroup
            one_of(n, n / 2);
            sum++;
        }
    }
    puts(sum == ROUNDS ? "ok" : "wrong");
    return 0;
}
