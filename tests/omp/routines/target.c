/* SPDX-License-Identifier: BSD-3-Clause */
//@ not-clang: it compiles a target region for the host alone into a plain call
/* A target region on the host is in no region, and begins with the settings of the program. */
#include "../inputs/check.h"

static void in_none(int threads) {
    CHECK(omp_get_num_threads() == 1 && omp_get_thread_num() == 0 && omp_get_level() == 0);
    CHECK(omp_get_num_teams() == 1 && omp_get_team_num() == 0 && omp_get_max_threads() == threads);
}

int main(void) {
    int threads = omp_get_max_threads(), sum = 0, singles = 0, members = 0;
    omp_set_num_threads(threads + 1);
#pragma omp target map(tofrom : sum)
    {
        in_none(threads);
        omp_set_num_threads(7);
#pragma omp parallel num_threads(3) reduction(+ : sum)
        sum += omp_get_thread_num() + 1;
    }
    CHECK(sum == 6 && omp_get_max_threads() == threads + 1);
#pragma omp parallel num_threads(3) reduction(+ : singles, members)
    {
        int mine = 0, inner = 0;
#pragma omp target map(tofrom : mine, inner)
        {
            in_none(threads);
#pragma omp single
            mine++;
#pragma omp parallel num_threads(2) reduction(+ : inner)
            inner++;
        }
        singles += mine;
        members += inner;
        CHECK(omp_get_num_threads() == 3 && omp_get_level() == 1);
    }
    CHECK(singles == 3 && members == 6);
#pragma omp target thread_limit(2) map(tofrom : sum)
    sum = omp_get_thread_limit();
    CHECK(sum == 2);
#pragma omp teams num_teams(2)
#pragma omp parallel if (0)
#pragma omp target
    in_none(threads);
    return result();
}
