/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions have as many threads as are asked for, numbered from 0, and see the same variables. */
#include "../inputs/check.h"

int global;

static int outer(int n) {
    int sum = 0;
#pragma omp parallel num_threads(n) reduction(+ : sum)
    sum += omp_get_num_threads();
    return sum;
}

int main(void) {
    int max = omp_get_max_threads(), seen[256] = {0}, count = 0, local = 7;
    CHECK(omp_get_num_threads() == 1 && omp_get_thread_num() == 0 && !omp_in_parallel());
#pragma omp parallel shared(seen, count) firstprivate(local)
    {
        CHECK(omp_get_num_threads() == max);
        CHECK(omp_in_parallel() == (max > 1));
        seen[omp_get_thread_num()]++;
        CHECK(local == 7);
        local = omp_get_thread_num();
#pragma omp barrier
        CHECK(local == omp_get_thread_num());
#pragma omp atomic
        count++;
        if (omp_get_thread_num() == max - 1) {
            global = 42;
        }
    }
    CHECK(local == 7 && count == max && global == 42);
    for (int i = 0; i < max; i++) {
        CHECK(seen[i] == 1);
    }
#pragma omp parallel if (0)
    CHECK(omp_get_num_threads() == 1);
#pragma omp parallel num_threads(1)
    CHECK(omp_get_num_threads() == 1 && !omp_in_parallel());
    for (int round = 0; round < 100; round++) {
        CHECK(outer(max) == max * max);
    }
    omp_set_num_threads(max);
#pragma omp parallel default(none) shared(count)
#pragma omp atomic
    count++;
    CHECK(count == 2 * max);
    return result();
}
