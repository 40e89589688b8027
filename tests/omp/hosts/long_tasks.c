// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x4 2x1 2x2 3x1 4x1 3x2
// Tasks are handed to threads of other hosts that have none while those of the maker's host are busy: as
// many as there are threads are under way together. And none waits behind one that waits for it, as long
// as there is another thread.
#include "../inputs/spin.h"
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

enum { TIMES = 5 };

static int begun, ended;

static void meet(int n) {
    int there;
#pragma omp atomic
    begun++;
    do {
        usleep(100);
#pragma omp atomic read
        there = begun;
    } while (there < n);
#pragma omp atomic
    ended++;
}

static int left;

static void one_among_others(int n) {
    left = n;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i <= n; i++) {
#pragma omp task
        {
            if (i == n / 2) {
                spin_while_more_than(0, &left);
            } else {
                usleep(1000);
#pragma omp atomic
                left--;
            }
        }
    }
}

int main(void) {
    for (int time = 0; time < TIMES; time++) {
        begun = ended = 0;
#pragma omp parallel
#pragma omp single
        for (int i = 0; i < omp_get_num_threads(); i++) {
#pragma omp task
            meet(omp_get_num_threads());
        }
        if (ended != omp_get_max_threads()) {
            printf("%d tasks have ended\n", ended);
            return 1;
        }
        one_among_others(4 * omp_get_max_threads());
    }
    puts("ok");
    return 0;
}
