/* SPDX-License-Identifier: BSD-3-Clause */
/* critical: names exclude by themselves; many of them. */
#include "../inputs/check.h"

static long plain, a, b;

int main(void) {
    int n = omp_get_max_threads();
#pragma omp parallel
    for (int i = 0; i < 200; i++) {
#pragma omp critical
        plain += i;
#pragma omp critical(one)
        a++;
#pragma omp critical(two) hint(omp_sync_hint_contended)
        {
#pragma omp critical(three)
            b += 2;
        }
    }
    CHECK(plain == 199L * 100 * n && a == 200L * n && b == 400L * n);
    return result();
}
