/* SPDX-License-Identifier: BSD-3-Clause */
#include "sync/lock.h"

#include "core/test.h"

enum { ROUNDS = TEST_TSAN ? 2000 : 20000 };

struct shared {
    struct fl_lock lock;
    struct fl_wait_policy policy;
    long count; /* plain: the lock is all that protects it */
    _Atomic uint32_t stop;
};

static bool add(unsigned me, void *context) {
    struct shared *shared = context;
    for (int i = 0; i < ROUNDS; i++) {
        if (i % 4 == 3) {
            while (!fl_lock_try(&shared->lock, me)) {
                fl_os_yield();
            }
        } else {
            fl_lock_acquire(&shared->lock, me, shared->policy);
        }
        shared->count++;
        fl_lock_release(&shared->lock, me);
    }
    return true;
}

static struct shared *new_shared(uint32_t spins, uint32_t yields) {
    struct shared *shared = test_shared_memory(sizeof *shared);
    fl_lock_init(&shared->lock);
    shared->policy = (struct fl_wait_policy){spins, yields};
    return shared;
}

static void excludes(void) {
    static const unsigned counts[] = {1, 2, 3, 5, 7, 8, 16};
    static const struct fl_wait_policy policies[] = {{100, 5}, {1, 20}, {0, 0}};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0] * 3; i++) {
        unsigned n = counts[i / 3];
        struct fl_wait_policy policy = policies[i % 3];
        struct shared *shared = new_shared(policy.spins, policy.yields);
        CHECK(test_in_threads(n, add, shared) && shared->count == (long)n * ROUNDS,
              "%u pthreads exclude each other (%u spins, %u yields)", n, policy.spins,
              policy.yields);
        if (TEST_TSAN) {
            continue;
        }
        shared = new_shared(policy.spins, policy.yields);
        CHECK(test_in_processes(n, add, shared) && shared->count == (long)n * ROUNDS,
              "%u processes exclude each other (%u spins, %u yields)", n, policy.spins,
              policy.yields);
    }
}

/* Threads but the last take the lock over and over, until the last has got it a few times: if it
 * never does, the test runs into its time limit. */
static bool greedy(unsigned me, void *context) {
    struct shared *shared = context;
    for (int times = 0; me == 3 ? times < 3 : !atomic_load(&shared->stop); times++) {
        fl_lock_acquire(&shared->lock, me, shared->policy);
        for (int i = 0; i < 1000; i++) {
            fl_os_relax();
        }
        fl_lock_release(&shared->lock, me);
    }
    atomic_store(&shared->stop, 1);
    return true;
}

static bool recursive(unsigned me, void *context) {
    struct shared *shared = context;
    fl_lock_acquire(&shared->lock, me, shared->policy);
    fl_lock_acquire(&shared->lock, me, shared->policy);
    return true;
}

static bool unlock_free(unsigned me, void *context) {
    fl_lock_release(&((struct shared *)context)->lock, me);
    return true;
}

static bool unlock_other(unsigned me, void *context) {
    struct shared *shared = context;
    fl_lock_acquire(&shared->lock, me, shared->policy);
    fl_lock_release(&shared->lock, me + 1);
    return true;
}

static bool use_freed(unsigned me, void *context) {
    struct shared *shared = context;
    fl_lock_destroy(&shared->lock);
    fl_lock_acquire(&shared->lock, me, shared->policy);
    return true;
}

int main(void) {
    excludes();
    struct shared *shared = new_shared(1, 5);
    CHECK(test_in_threads(4, greedy, shared), "a thread among greedy ones gets the lock");
    shared = new_shared(1, 5);
    CHECK(fl_lock_try(&shared->lock, 1) && !fl_lock_try(&shared->lock, 2),
          "an attempt on a held lock fails");
    fl_lock_destroy(&shared->lock);
    CHECK(true, "a held lock may be freed");
    if (!TEST_TSAN) {
        CHECK(test_dies(recursive, new_shared(1, 1), "holds already"), "locking twice");
        CHECK(test_dies(unlock_free, new_shared(1, 1), "nobody holds"), "unlocking a free lock");
        CHECK(test_dies(unlock_other, new_shared(1, 1), "thread 0 holds"),
              "unlocking another thread's lock");
        CHECK(test_dies(use_freed, new_shared(1, 1), "was freed"), "locking a freed lock");
    }
    return test_done();
}
