/* SPDX-License-Identifier: BSD-3-Clause */
/* A value handed on by a flag: flush with atomics, in a ring of threads. */
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
#pragma omp flush
#pragma omp atomic read
                seen = turn;
            } while (seen != round * n + me);
#pragma omp flush
            CHECK(data == round * n + me);
            data++;
#pragma omp flush
#pragma omp atomic write
            turn = round * n + me + 1;
#pragma omp flush
        }
    }
    CHECK(data == 10 * n);
    return result();
}
