/* SPDX-License-Identifier: BSD-3-Clause */
//@ env: OMP_CANCELLATION=true
/* Cancelled loops, sections and regions end early, and what follows is as ever. */
#include "../inputs/check.h"

int main(void) {
    CHECK(omp_get_cancellation());
    int found = -1, after = 0, done = 0, n = omp_get_max_threads();
#pragma omp parallel shared(found, done)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 100000; i++) {
#pragma omp cancellation point for
            if (i == 50) {
#pragma omp atomic write
                found = i;
#pragma omp cancel for
            }
#pragma omp atomic
            done++;
        }
#pragma omp atomic
        after++;
    }
    CHECK(found == 50 && after == n && done < 100000);
    int began = 0, passed = 0;
#pragma omp parallel
    {
#pragma omp atomic
        began++;
#pragma omp barrier
        if (omp_get_thread_num() == n / 2) {
#pragma omp cancel parallel
        }
#pragma omp barrier
#pragma omp atomic
        passed++;
    }
    CHECK(began == n && passed == 0);
    int sections = 0;
#pragma omp parallel num_threads(1)
#pragma omp sections
    {
#pragma omp section
        {
            sections++;
#pragma omp cancel sections
        }
#pragma omp section
        sections++;
    }
    CHECK(sections == 1);
    int not_cancelled = 0;
#pragma omp parallel for reduction(+ : not_cancelled)
    for (int i = 0; i < 100; i++) {
#pragma omp cancel for if (i < 0)
        not_cancelled++;
    }
    CHECK(not_cancelled == 100);
    int some = 0; /* unspecified afterwards */
#pragma omp parallel for reduction(+ : some)
    for (int i = 0; i < 1000; i++) {
        some++;
        if (i == 0) {
#pragma omp cancel for
        }
    }
    return result();
}
