/* SPDX-License-Identifier: BSD-3-Clause */
//@ mappings: 1x4 2x2 4x1
/* Tasks of a region with fewer threads on a host than one before it had: a region with a task
 * reduction, which stays on one host. The threads that have no part in it leave its tasks alone. */
#include "../inputs/check.h"

static void branch(int depth) {
    for (int i = 0; i < 2 && depth > 0; i++) {
#pragma omp task
        branch(depth - 1);
    }
}

int main(void) {
    for (int round = 0; round < 5; round++) {
        int sum = 0;
#pragma omp parallel reduction(task, + : sum)
        {
#pragma omp task in_reduction(+ : sum)
            sum++;
        }
        CHECK(sum > 0);
#pragma omp parallel
#pragma omp single
        {
#pragma omp taskgroup
            branch(9);
        }
    }
    return result();
}
