/* SPDX-License-Identifier: BSD-3-Clause */
/* Of very many loops hardly any has iterations: they are executed all the same. */
#include "../inputs/check.h"

enum { SELDOM = 1 << 14, LOOPS = 2 * SELDOM + 1 };

int main(void) {
    int times[2] = {0};
#pragma omp parallel
    for (int k = 0; k < LOOPS; k++) {
        int n = k % SELDOM == 0 ? 2 : 0;
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < n; i++) {
#pragma omp atomic
            times[i]++;
        }
    }
    CHECK(times[0] == 3 && times[1] == 3);
    return result();
}
