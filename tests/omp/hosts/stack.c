// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x3 2x1 3x1 2x2
// An array of main's stack that all have read, then nobody for long, and is then written again: by main
// between regions, in a region, and by another thread.
#include <omp.h>
#include <stdio.h>

enum { N = 20000, LONG = 40 };

static int wrong(const int *a, int first) {
    int bad = 0;
    for (int i = 0; i < N; i++) {
        bad += a[i] != first + i;
    }
    return bad;
}

static void fill(int *a, int first) {
    for (int i = 0; i < N; i++) {
        a[i] = first + i;
    }
}

static long others;

static void nobody_looks(int in_region) {
    for (int i = 0; i < LONG; i++) {
#pragma omp parallel if (!in_region)
#pragma omp critical
        others++;
    }
}

int main(void) {
    int a[N], bad = 0;
    for (int time = 0; time < 3; time++) {
        fill(a, 10 * time);
#pragma omp parallel reduction(+ : bad)
        bad += wrong(a, 10 * time);
        nobody_looks(0);
#pragma omp parallel reduction(+ : bad)
        {
            bad += wrong(a, 10 * time);
            for (int i = 0; i < LONG; i++) {
#pragma omp critical
                others++;
            }
#pragma omp barrier
#pragma omp masked
            fill(a, 10 * time + 1);
#pragma omp barrier
            bad += wrong(a, 10 * time + 1);
#pragma omp barrier
            if (omp_get_thread_num() == omp_get_num_threads() - 1) {
                fill(a, 10 * time + 2);
                nobody_looks(1);
            }
#pragma omp barrier
            bad += wrong(a, 10 * time + 2);
        }
        bad += wrong(a, 10 * time + 2);
    }
    if (bad) {
        printf("%d values are wrong\n", bad);
        return 1;
    }
    puts("ok");
    return 0;
}
