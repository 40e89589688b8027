/* SPDX-License-Identifier: BSD-3-Clause */
//@ mappings: 1x4 2x1 2x2 3x1 4x1
/* Detached tasks of inner regions, while all threads of the outer one are in such regions: their
 * events are fulfilled by threads of another region, over hosts on another host. Who waits for them is
 * at a taskwait, at the end of a taskgroup, at the inner barrier, or makes an undeferred task. And one
 * that was made before the outer region began, and is waited for after it. */
#include "../inputs/check.h"

#include <stdint.h>

enum { WAYS = 4, ROUNDS = 5, MOST = 64 };
static uintptr_t posted[MOST][WAYS * ROUNDS + 1];

static void post(int whose, int slot, omp_event_handle_t event) {
#pragma omp critical
    posted[whose][slot] = (uintptr_t)event;
}

static void fulfil(int whose, int slot) {
    uintptr_t event = 0;
    while (!event) {
#pragma omp critical
        event = posted[whose][slot];
    }
    omp_fulfill_event((omp_event_handle_t)event);
}

static void deferred(int me, int slot, int *done) {
    omp_event_handle_t event;
#pragma omp task detach(event) shared(done)
    *done = 1;
    post(me, slot, event);
}

static void wait_somehow(int way, int me, int slot, int *done) {
    switch (way) {
    case 0:
        deferred(me, slot, done);
#pragma omp taskwait
        CHECK(*done == 1);
        break;
    case 1:
#pragma omp taskgroup
        deferred(me, slot, done);
        CHECK(*done == 1);
        break;
    case 2:
        deferred(me, slot, done);
        break;
    case 3: {
        omp_event_handle_t event;
#pragma omp task detach(event) shared(done) if (0)
        {
            *done = 1;
            post(me, slot, event);
        }
        CHECK(*done == 1);
    }
    }
}

static void inside(int me, int other, int slot) {
    int done = 0;
#pragma omp parallel num_threads(2) shared(done)
    {
        if (omp_get_thread_num() == 0) {
            wait_somehow(slot % WAYS, me, slot, &done);
        } else {
            fulfil(other, slot);
        }
#pragma omp barrier
        CHECK(done == 1);
    }
}

int main(void) {
    int n = omp_get_max_threads();
    omp_set_max_active_levels(2);
    int before = 0;
    omp_event_handle_t event;
#pragma omp task detach(event) shared(before)
    before = 1;
    post(0, WAYS * ROUNDS, event);
#pragma omp parallel num_threads(n)
    {
        int me = omp_get_thread_num();
        for (int slot = 0; slot < WAYS * ROUNDS; slot++) {
            inside(me, (me + (n + 1) / 2) % n, slot);
        }
        if (me == n - 1) {
            fulfil(0, WAYS * ROUNDS);
        }
    }
#pragma omp taskwait
    CHECK(before == 1);
    return result();
}
