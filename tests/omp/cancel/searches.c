/* SPDX-License-Identifier: BSD-3-Clause */
//@ env: OMP_CANCELLATION=true
//@ mappings: 1x1 1x2 1x3 2x1
/* Very many loops in a region are cancelled, and then one comes to its end. */
#include "../inputs/check.h"

enum { LOOPS = 1 << 14, N = 100 };

int main(void) {
    int last = 0;
#pragma omp parallel
    for (int k = 0; k <= LOOPS; k++) {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < N; i++) {
#pragma omp cancel for if (k > 0 && k < LOOPS)
            if (i == N - 1) {
#pragma omp atomic
                last++;
            }
        }
    }
    CHECK(last == 2);
    return result();
}
