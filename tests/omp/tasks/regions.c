/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks that begin regions, regions whose threads make tasks, teams of changing size, and the rule
 * that a waiting task's thread executes its descendants only. */
#include "../inputs/check.h"

#include <pthread.h>
#include <stdint.h>
#include <time.h>

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

static void *fulfil(void *event) {
    nanosleep(&(struct timespec){0, 1000000}, NULL);
    omp_fulfill_event((omp_event_handle_t)(uintptr_t)event);
    return NULL;
}

/* Each holds a lock while it waits for what takes long: its thread must not begin another of them,
 * which would want the lock, too. */
static void scheduling_constraint(void) {
    static int count;
    count = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task
        {
#pragma omp critical(held)
            {
                pthread_t thread;
                omp_event_handle_t event;
#pragma omp task detach(event)
                count++;
                pthread_create(&thread, NULL, fulfil, (void *)(uintptr_t)event);
#pragma omp taskwait
                pthread_join(thread, NULL);
            }
        }
    }
    CHECK(count == 20);
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
