/* SPDX-License-Identifier: BSD-3-Clause */
/* EP (ep.h) with OpenMP. */
#include "ep.h"

int main(void) {
    double sums[EP_TALLIES] = {0};
    double start = bench_now();
#pragma omp parallel
    {
        double *numbers = malloc(2 * EP_PAIRS * sizeof(double)), tallies[EP_TALLIES] = {0};
#pragma omp for schedule(static, 1) nowait
        for (long block = 0; block < EP_BLOCKS; block++) {
            ep_add_block(block, numbers, tallies);
        }
        for (int i = 0; i < EP_TALLIES; i++) {
#pragma omp atomic
            sums[i] += tallies[i];
        }
        free(numbers);
    }
    return ep_finish(sums, bench_now() - start);
}
