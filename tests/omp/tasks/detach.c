/* SPDX-License-Identifier: BSD-3-Clause */
/* Detached tasks end with their event, whoever fulfils it and when: before or after the body has
 * ended, another task, the same thread, a thread that is not of the team. */
#include "../inputs/check.h"

#include <pthread.h>
#include <stdint.h>

static void *fulfil(void *event) {
    omp_fulfill_event((omp_event_handle_t)(uintptr_t)event);
    return NULL;
}

static void by_a_task(void) {
    omp_event_handle_t event;
    int body = 0, after = 0;
#pragma omp task detach(event) shared(body) depend(out : body)
    body = 1;
#pragma omp task shared(body, after) depend(in : body)
    after = body + 1;
#pragma omp task firstprivate(event)
    omp_fulfill_event(event);
#pragma omp taskwait
    CHECK(after == 2);
}

static void by_itself(void) {
    omp_event_handle_t event;
    int body = 0;
#pragma omp task detach(event) shared(body)
    {
        body = 1;
        omp_fulfill_event(event);
    }
#pragma omp taskwait
    CHECK(body == 1);
}

static void from_outside(void) {
    pthread_t threads[5];
    int value = 0, seen = 0, k = 41;
#pragma omp taskgroup
    for (int i = 0; i < 5; i++) {
        omp_event_handle_t event;
#pragma omp task detach(event) shared(value) firstprivate(k) depend(inout : value)
        {
            value += k;
        }
        pthread_create(&threads[i], NULL, fulfil, (void *)(uintptr_t)event);
#pragma omp task shared(seen, value) depend(in : value)
        seen += value;
    }
    CHECK(value == 5 * 41 && seen == 15 * 41);
    for (int i = 0; i < 5; i++) {
        pthread_join(threads[i], NULL);
    }
}

static void until_the_barrier(void) {
    pthread_t thread;
    static int value;
    value = 0;
#pragma omp parallel
    {
#pragma omp single nowait
        {
            omp_event_handle_t event;
#pragma omp task detach(event) shared(value) depend(out : value)
            value = 1;
#pragma omp task shared(value) depend(inout : value)
            value++;
            pthread_create(&thread, NULL, fulfil, (void *)(uintptr_t)event);
        }
#pragma omp barrier
        CHECK(value == 2);
    }
    pthread_join(thread, NULL);
}

static void undeferred(void) {
    omp_event_handle_t event;
    int body = 0;
#pragma omp task detach(event) shared(body) if (0)
    {
        body = 1;
        omp_fulfill_event(event);
    }
    CHECK(body == 1);
}

int main(void) {
#pragma omp parallel
    {
        by_a_task();
        by_itself();
        undeferred();
#pragma omp single
        from_outside();
    }
    for (int i = 0; i < 20; i++) {
        until_the_barrier();
    }
    by_a_task();
    by_itself();
    from_outside();
    undeferred();
    return result();
}
