/* SPDX-License-Identifier: BSD-3-Clause */
/* The same with the memory orders of OpenMP 5.0. */
#include "../inputs/check.h"

static int data, turn;

int main(void) {
    int n = omp_get_max_threads();
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        for (int round = 0; round < 10; round++) {
            int seen;
            do {
#pragma omp atomic read acquire
                seen = turn;
            } while (seen != round * n + me);
            CHECK(data == round * n + me);
            data++;
#pragma omp atomic write release
            turn = round * n + me + 1;
        }
    }
    CHECK(data == 10 * n);
    return result();
}
