/* SPDX-License-Identifier: BSD-3-Clause */
#include "omp/deque.h"

#include "core/test.h"

enum { ROUNDS = TEST_TSAN ? 20000 : 300000, THIEVES = 4 };

/* The deque holds numbers here, written by plain stores, so that TSan sees whether they are
 * published. */
struct item {
    long number;
    _Atomic int taken;
};

struct shared {
    struct fl_omp_deque deque;
    struct item *items;
    _Atomic bool done;
    _Atomic long wrong, taken;
};

static void receive(struct shared *shared, struct fl_omp_task *task) {
    struct item *item = (struct item *)task;
    bool right = item->number == item - shared->items && atomic_fetch_add(&item->taken, 1) == 0;
    atomic_fetch_add(right ? &shared->taken : &shared->wrong, 1);
}

/* Puts and takes in bursts of changing length, so that the deque often is nearly empty. */
static void own(struct shared *shared) {
    int64_t floor = fl_omp_deque_bottom(&shared->deque);
    for (long next = 0, burst = 1; next < ROUNDS; burst = burst * 5 % 17) {
        for (long i = 0; i < burst && next < ROUNDS; i++) {
            if (!fl_omp_deque_has_room(&shared->deque, FL_OMP_DEQUE_SLOTS)) {
                break;
            }
            shared->items[next].number = next;
            fl_omp_deque_put(&shared->deque, (struct fl_omp_task *)&shared->items[next++]);
        }
        for (long i = 0; i < burst % 5; i++) {
            struct fl_omp_task *task = fl_omp_deque_take(&shared->deque, floor);
            if (task) {
                receive(shared, task);
            }
        }
        if (burst == 13) {
            fl_os_yield();
        }
    }
    atomic_store(&shared->done, true);
}

static bool odd(const struct fl_omp_task *task, const void *context) {
    const struct shared *shared = context;
    return ((const struct item *)task - shared->items) % 2;
}

static bool take_part(unsigned me, void *context) {
    struct shared *shared = context;
    if (me == 0) {
        own(shared);
        return true;
    }
    while (!atomic_load(&shared->done) || me == 1) {
        struct fl_omp_task *task =
            fl_omp_deque_steal(&shared->deque, me == 2 ? odd : NULL, shared);
        if (task) {
            receive(shared, task);
        } else if (atomic_load(&shared->done)) {
            break;
        } else {
            fl_os_yield();
        }
    }
    return true;
}

static void each_once(unsigned thieves) {
    struct shared *shared = aligned_alloc(FL_CACHE_LINE, sizeof *shared);
    memset(shared, 0, sizeof *shared);
    shared->items = calloc(ROUNDS, sizeof *shared->items);
    test_in_threads(1 + thieves, take_part, shared);
    struct fl_omp_task *left;
    while ((left = fl_omp_deque_take(&shared->deque, 0))) {
        receive(shared, left);
    }
    CHECK(shared->wrong == 0 && shared->taken == ROUNDS, "%u thieves: every task is got once", thieves);
    free(shared->items);
    free(shared);
}

static void floors(void) {
    static struct fl_omp_deque deque;
    static struct item items[3];
    for (int i = 0; i < 3; i++) {
        fl_omp_deque_put(&deque, (struct fl_omp_task *)&items[i]);
    }
    CHECK(fl_omp_deque_take(&deque, 2) == (struct fl_omp_task *)&items[2] &&
              !fl_omp_deque_take(&deque, 2),
          "what is below the floor stays");
    CHECK(fl_omp_deque_steal(&deque, NULL, NULL) == (struct fl_omp_task *)&items[0] &&
              fl_omp_deque_take(&deque, 0) == (struct fl_omp_task *)&items[1] &&
              !fl_omp_deque_take(&deque, 0) && !fl_omp_deque_steal(&deque, NULL, NULL),
          "thieves get the oldest, the owner the youngest");
}

int main(void) {
    floors();
    for (unsigned thieves = 0; thieves <= THIEVES; thieves++) {
        each_once(thieves);
    }
    return test_done();
}
