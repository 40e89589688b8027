/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks that begin regions, regions whose threads make tasks, teams of changing size, and the rule
 * that a waiting task's thread executes its descendants only. */
#include "../inputs/check.h"

static int inner(int n) {
    int sum = 0;
#pragma omp parallel num_threads(n) shared(sum)
    {
        for (int i = 0; i < 10; i++) {
#pragma omp task shared(sum)
            {
#pragma omp atomic
                sum++;
            }
        }
    }
    CHECK(sum % 10 == 0);
    return sum / 10;
}

/* Each holds a lock while it waits: one below it on the stack must not want it. */
static void scheduling_constraint(void) {
    static int count;
    count = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 200; i++) {
#pragma omp task
        {
#pragma omp critical(held)
            {
#pragma omp task
                count++;
#pragma omp task if (0)
                count += 0;
#pragma omp taskwait
            }
        }
    }
    CHECK(count == 200);
}

static void descend(int depth, int *count) {
#pragma omp atomic
    ++*count;
    if (depth > 0) {
#pragma omp task
        descend(depth - 1, count);
    }
}

int main(void) {
    omp_set_max_active_levels(2);
    int total = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 30; i++) {
#pragma omp task shared(total) firstprivate(i)
        {
            int n = inner(1 + i % 3);
            CHECK(n >= 1 && n <= 3);
#pragma omp atomic
            total++;
        }
    }
    CHECK(total == 30);
    static const int sizes[] = {3, 1, 5, 2, 7, 1, 4};
    for (int round = 0; round < 35; round++) {
        int n = sizes[round % 7], sum = 0;
#pragma omp parallel num_threads(n) shared(sum)
        {
            for (int i = 0; i < 20; i++) {
#pragma omp task shared(sum)
                {
                    CHECK(omp_get_thread_num() < omp_get_num_threads());
#pragma omp atomic
                    sum++;
                }
            }
            if (round % 2) {
#pragma omp barrier
                CHECK(sum == 20 * omp_get_num_threads());
            }
        }
        CHECK(sum == 20 * n);
    }
    scheduling_constraint();
    int deep = 0;
#pragma omp parallel
#pragma omp single
    descend(20000, &deep);
    CHECK(deep == 20001);
    return result();
}
