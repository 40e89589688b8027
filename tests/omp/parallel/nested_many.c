/* SPDX-License-Identifier: BSD-3-Clause */
//@ env: OMP_NESTED=true
/* Inner regions begin and end again and again in each thread of an outer one. */
#include "../inputs/check.h"

int main(void) {
    omp_set_max_active_levels(2);
    long sum = 0;
    int n = omp_get_max_threads() > 4 ? 4 : omp_get_max_threads();
#pragma omp parallel num_threads(n) reduction(+ : sum)
    for (int round = 0; round < 20; round++) {
        int mine = 0;
#pragma omp parallel for num_threads(2) reduction(+ : mine) schedule(dynamic)
        for (int i = 0; i < 10; i++) {
            mine += i;
        }
        CHECK(mine == 45);
        sum += mine;
    }
    CHECK(sum == 45L * 20 * n);
    return result();
}
