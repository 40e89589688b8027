/* SPDX-License-Identifier: BSD-3-Clause */
//@ env: OMP_THREAD_LIMIT=8
/* The limit is that of all threads, also of regions inside on several hosts. */
#include "../inputs/check.h"

enum { OUTER = 5, LIMIT = 8 };

/* All regions inside are there at once: each waits for the others. */
static int threads_of_all(void) {
    int threads = 0, regions = 0;
#pragma omp parallel num_threads(OUTER)
    {
#pragma omp parallel num_threads(OUTER)
#pragma omp masked
        {
#pragma omp atomic
            threads += omp_get_num_threads();
#pragma omp atomic
            regions++;
            int seen;
            do {
#pragma omp atomic read
                seen = regions;
            } while (seen < OUTER);
        }
    }
    return threads;
}

int main(void) {
    omp_set_max_active_levels(2);
    for (int i = 0; i < 3; i++) {
        int threads = threads_of_all();
        CHECK(threads >= OUTER && threads <= LIMIT);
    }
#pragma omp parallel num_threads(LIMIT)
#pragma omp masked
    CHECK(omp_get_num_threads() == LIMIT);
    return result();
}
