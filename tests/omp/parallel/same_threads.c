/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams of different sizes, one after the other: numbers are dense each time. */
#include "../inputs/check.h"

int main(void) {
    int max = omp_get_max_threads();
    for (int round = 0; round < 50; round++) {
        int n = 1 + round * 7 % max, sum = 0, all = 0;
#pragma omp parallel num_threads(n)
        {
#pragma omp atomic
            sum += omp_get_thread_num();
#pragma omp critical
            all++;
        }
        CHECK(all <= n && sum == all * (all - 1) / 2);
    }
    return result();
}
