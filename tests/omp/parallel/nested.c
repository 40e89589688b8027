/* SPDX-License-Identifier: BSD-3-Clause */
//@ env: OMP_MAX_ACTIVE_LEVELS=3
/* Regions in regions: levels, ancestors, sizes, and inactive ones. */
#include "../inputs/check.h"

int main(void) {
    int n = omp_get_max_threads();
    CHECK(omp_get_max_active_levels() == 3);
    int inner[64] = {0};
#pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num(), team = omp_get_num_threads();
        CHECK(omp_get_level() == 1 && omp_get_active_level() == (team > 1));
#pragma omp parallel num_threads(3)
        {
            CHECK(omp_get_level() == 2);
            CHECK(omp_get_ancestor_thread_num(1) == me);
            CHECK(omp_get_ancestor_thread_num(0) == 0);
            CHECK(omp_get_ancestor_thread_num(2) == omp_get_thread_num());
            CHECK(omp_get_ancestor_thread_num(3) == -1);
            CHECK(omp_get_team_size(1) == team);
            CHECK(omp_get_team_size(2) == omp_get_num_threads());
            CHECK(omp_get_num_threads() == 3);
#pragma omp atomic
            inner[me]++;
#pragma omp barrier
#pragma omp single
            inner[me + 32] = inner[me];
        }
    }
    CHECK(inner[0] == 3 && inner[32] == 3 && inner[1] == 3 && inner[33] == 3);
    omp_set_max_active_levels(1);
    int total = 0;
#pragma omp parallel
    {
#pragma omp parallel
        {
            CHECK(omp_get_num_threads() == (n == 1 ? omp_get_num_threads() : 1));
            CHECK(omp_get_level() == 2);
        }
#pragma omp atomic
        total++;
    }
    CHECK(total == n);
    return result();
}
