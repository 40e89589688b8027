/* SPDX-License-Identifier: BSD-3-Clause */
//@ one-host
//@ env: OMP_DISPLAY_AFFINITY=true
/* Threads say where they run when that is new: at their first region, and when they come back from
 * regions inside; not if the next region is as the last. */
#include "../inputs/check.h"

#include <unistd.h>

static int entered;

static void region(int threads) {
#pragma omp parallel num_threads(threads)
    {
#pragma omp atomic
        entered++;
    }
}

static int count(FILE *said, const char *line) {
    char text[100];
    int n = 0;
    rewind(said);
    while (fgets(text, sizeof text, said)) {
        n += strcmp(text, line) == 0;
    }
    return n;
}

int main(void) {
    FILE *said = tmpfile();
    int stderr_before = dup(STDERR_FILENO);
    dup2(fileno(said), STDERR_FILENO);
    omp_set_max_active_levels(2);
    omp_set_affinity_format("level %L, %N threads");
#pragma omp parallel num_threads(3)
    {
        region(2);
        region(2);
    }
    int inside = count(said, "level 2, 2 threads\n");
    int before = count(said, "level 1, 3 threads\n");
    region(3);
    region(3);
    int after = count(said, "level 1, 3 threads\n");
    dup2(stderr_before, STDERR_FILENO);
    CHECK(inside == 3 * 2);
    CHECK(before == 3);
    CHECK(after == 2 * 3);
    return result();
}
