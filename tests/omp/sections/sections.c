/* SPDX-License-Identifier: BSD-3-Clause */
/* Each section once; more and fewer than threads; with reductions, and one after another. */
#include "../inputs/check.h"

static int count[8];

int main(void) {
    int sum = 0;
    for (int round = 0; round < 20; round++) {
#pragma omp parallel
        {
#pragma omp sections
            {
                count[0]++;
#pragma omp section
                count[1]++;
#pragma omp section
                count[2]++;
#pragma omp section
                count[3]++;
            }
            CHECK(count[0] == round + 1 && count[3] == round + 1);
#pragma omp sections nowait reduction(+ : sum)
            {
#pragma omp section
                sum += 1;
#pragma omp section
                sum += 10;
            }
#pragma omp sections
            {
#pragma omp section
                count[4]++;
            }
        }
#pragma omp parallel sections num_threads(2) firstprivate(round)
        {
#pragma omp section
            count[5] += round;
#pragma omp section
            count[6] += round;
#pragma omp section
            count[7] += round;
        }
    }
    CHECK(sum == 220 && count[0] == 20 && count[1] == 20 && count[2] == 20 && count[4] == 20);
    CHECK(count[5] == 190 && count[6] == 190 && count[7] == 190);
    return result();
}
