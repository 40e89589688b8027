/* SPDX-License-Identifier: BSD-3-Clause */
//@ mappings: 1x1 1x2 1x5
/* omp_pause_resource: threads that regions have kept end, and what was theirs. */
#include "../inputs/check.h"

static int mine = 3;
#pragma omp threadprivate(mine)

int main(void) {
    for (int round = 0; round < 3; round++) {
#pragma omp parallel
        mine += 100 + omp_get_thread_num();
#pragma omp parallel
        CHECK(omp_get_thread_num() == 0 || mine == 103 + omp_get_thread_num());
        CHECK(omp_pause_resource(omp_pause_soft, omp_get_initial_device()) == 0);
#pragma omp parallel
        CHECK(omp_get_thread_num() == 0 ? mine >= 103 : mine == 3);
        CHECK(omp_pause_resource_all(omp_pause_hard) == 0);
    }
    CHECK(omp_pause_resource(omp_pause_soft, 5) != 0);
    return result();
}
