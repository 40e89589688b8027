/* SPDX-License-Identifier: BSD-3-Clause */
/* Semaphores with every patience, number of threads and mapping through the same bodies. */
#include "sync/semaphore.h"

#include "core/test.h"

enum { ROUNDS = TEST_TSAN ? 1000 : 10000, LARGEST = 3 };

struct shared {
    struct fl_semaphore semaphore, back;
    struct fl_wait_policy policy;
    unsigned n;
    long data; /* plain, so that TSan sees a missing order */
    struct {
        _Alignas(64) long value;
        struct fl_semaphore seen;
    } item[16];
};

static struct shared *new_shared(unsigned n, struct fl_wait_policy policy) {
    struct shared *shared = test_shared_memory(sizeof *shared);
    fl_semaphore_init(&shared->semaphore, FL_SEMAPHORE_INTEGER, false, false);
    fl_semaphore_init(&shared->back, FL_SEMAPHORE_BOOLEAN, false, false);
    for (unsigned i = 0; i < 16; i++) {
        fl_semaphore_init(&shared->item[i].seen, FL_SEMAPHORE_BOOLEAN, false, false);
    }
    shared->policy = policy;
    shared->n = n;
    return shared;
}

static void take(struct shared *shared, unsigned me, size_t n) {
    if (me % 3 == 2) {
        while (!fl_semaphore_try(&shared->semaphore, n)) {
            fl_os_yield();
        }
    } else {
        fl_semaphore_wait(&shared->semaphore, n, shared->policy);
    }
}

/* A count of one that all take in turns and post again, is a lock. */
static bool exclude(unsigned me, void *context) {
    struct shared *shared = context;
    if (me == 0) {
        fl_semaphore_post(&shared->semaphore, 1);
    }
    for (int i = 0; i < ROUNDS; i++) {
        take(shared, me, 1);
        shared->data++;
        fl_semaphore_post(&shared->semaphore, 1);
    }
    return true;
}

/* Thread 0 posts in small steps what the others take in steps of 1 to LARGEST, all to the last. */
static bool take_several(unsigned me, void *context) {
    struct shared *shared = context;
    if (me > 0) {
        size_t n = me % LARGEST + 1;
        for (int i = 0; i < ROUNDS; i++) {
            take(shared, me, n);
        }
        return true;
    }
    size_t left = 0;
    for (unsigned t = 1; t < shared->n; t++) {
        left += ROUNDS * (t % LARGEST + 1);
    }
    for (size_t step = 0; left > 0; step++) {
        size_t n = step % 4 < left ? step % 4 : left;
        fl_semaphore_post(&shared->semaphore, n);
        left -= n;
    }
    return true;
}

/* Many producers, one consumer: each writes its item, posts, and is told when it was read. */
static bool many_producers(unsigned me, void *context) {
    struct shared *shared = context;
    for (long i = 1; i <= ROUNDS / 10; i++) {
        if (me > 0) {
            shared->item[me].value = i;
            fl_semaphore_post(&shared->semaphore, 1);
            fl_semaphore_wait(&shared->item[me].seen, 1, shared->policy);
            continue;
        }
        fl_semaphore_wait(&shared->semaphore, shared->n - 1, shared->policy);
        for (unsigned t = 1; t < shared->n; t++) {
            if (shared->item[t].value != i) {
                return false;
            }
        }
        for (unsigned t = 1; t < shared->n; t++) {
            fl_semaphore_post(&shared->item[t].seen, 1);
        }
    }
    return true;
}

static void all_ways(test_body body, long factor, const char *what) {
    static const unsigned counts[] = {2, 3, 5, 8, 16};
    static const struct fl_wait_policy policies[] = {{100, 5}, {1, 20}, {0, 0}};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0] * 3; i++) {
        unsigned n = counts[i / 3];
        struct fl_wait_policy policy = policies[i % 3];
        for (int processes = 0; processes <= !TEST_TSAN; processes++) {
            struct shared *shared = new_shared(n, policy);
            bool good = processes ? test_in_processes(n, body, shared)
                                  : test_in_threads(n, body, shared);
            good = good && shared->data == n * factor &&
                   atomic_load(&shared->semaphore.word) >> 1 == (factor != 0);
            CHECK(good, "%s: %u %s (%u spins, %u yields)", what, n,
                  processes ? "processes" : "pthreads", policy.spins, policy.yields);
            fl_semaphore_destroy(&shared->semaphore);
            munmap(shared, sizeof *shared);
        }
    }
}

/* The waiter frees the semaphore at once; the memory is gone while the poster may still be
 * returning from the post. */
static bool free_at_once(unsigned me, void *context) {
    struct shared *shared = context;
    for (int i = 0; i < ROUNDS; i++) {
        if (me == 0) {
            fl_semaphore_post(&shared->semaphore, 1);
            fl_semaphore_wait(&shared->back, 1, shared->policy);
            continue;
        }
        fl_semaphore_wait(&shared->semaphore, 1, shared->policy);
        fl_semaphore_destroy(&shared->semaphore);
        uint32_t *freed = (uint32_t *)(void *)&shared->semaphore;
        bool changed = false;
        for (int look = 0; look < 100; look++) {
            changed |= __atomic_exchange_n(freed, UINT32_MAX, __ATOMIC_RELAXED) != UINT32_MAX &&
                       look > 0;
        }
        if (changed) {
            return false;
        }
        fl_semaphore_init(&shared->semaphore, FL_SEMAPHORE_INTEGER, false, false);
        fl_semaphore_post(&shared->back, 1);
    }
    return true;
}

static bool free_while_waited(unsigned me, void *context) {
    struct shared *shared = context;
    if (me > 0) {
        fl_semaphore_wait(&shared->semaphore, 1, shared->policy);
        return true;
    }
    while (!atomic_load(&shared->semaphore.sleepers)) {
        fl_os_yield();
    }
    fl_semaphore_destroy(&shared->semaphore);
    return true;
}

static bool two_free_while_waited(unsigned me, void *context) {
    (void)me;
    return test_in_threads(2, free_while_waited, context);
}

static bool overflow(unsigned me, void *context) {
    (void)me;
    struct shared *shared = context;
    fl_semaphore_post(&shared->semaphore, 2);
    fl_semaphore_post(&shared->semaphore, FL_SEMAPHORE_INTEGER - 1);
    return true;
}

static bool boolean_of_two(unsigned me, void *context) {
    (void)me;
    fl_semaphore_post(&((struct shared *)context)->back, 2);
    return true;
}

static bool use_freed(unsigned me, void *context) {
    (void)me;
    struct shared *shared = context;
    fl_semaphore_destroy(&shared->semaphore);
    fl_semaphore_post(&shared->semaphore, 1);
    return true;
}

static bool post_from_two(unsigned me, void *context) {
    (void)me;
    struct fl_semaphore *semaphore = context;
    fl_semaphore_init(semaphore, FL_SEMAPHORE_INTEGER, true, true);
    fl_semaphore_check_poster(semaphore, 1, "a test");
    fl_semaphore_check_waiter(semaphore, 2, "a test");
    fl_semaphore_check_poster(semaphore, 1, "a test");
    fl_semaphore_check_poster(semaphore, 3, "a test");
    return true;
}

static void counts(void) {
    struct shared *shared = new_shared(1, (struct fl_wait_policy){0, 0});
    CHECK(!fl_semaphore_try(&shared->semaphore, 1), "a new semaphore counts 0");
    CHECK(fl_semaphore_try(&shared->semaphore, 0), "taking nothing always works");
    fl_semaphore_post(&shared->semaphore, 2);
    CHECK(!fl_semaphore_try(&shared->semaphore, 3) && fl_semaphore_try(&shared->semaphore, 2),
          "a failed attempt takes nothing");
    fl_semaphore_post(&shared->semaphore, FL_SEMAPHORE_INTEGER);
    CHECK(fl_semaphore_try(&shared->semaphore, FL_SEMAPHORE_INTEGER) &&
              !fl_semaphore_try(&shared->semaphore, 1),
          "the largest count");
    fl_semaphore_post(&shared->back, 1);
    fl_semaphore_post(&shared->back, 1);
    CHECK(fl_semaphore_try(&shared->back, 1) && !fl_semaphore_try(&shared->back, 1),
          "a boolean semaphore posted twice counts 1");
    if (!TEST_TSAN) {
        CHECK(test_dies(overflow, shared, "cannot count 2147483648"), "too large a count");
        CHECK(test_dies(boolean_of_two, shared, "boolean"), "two for a boolean semaphore");
        CHECK(test_dies(use_freed, shared, "was freed"), "posting to a freed semaphore");
        CHECK(test_dies(post_from_two, &shared->semaphore, "SPRODUCER"), "two single producers");
        CHECK(test_dies(two_free_while_waited, new_shared(2, (struct fl_wait_policy){0, 0}),
                        "1 thread(s) wait"),
              "freeing while a thread waits");
    }
}

int main(void) {
    counts();
    all_ways(exclude, ROUNDS, "exclude");
    all_ways(take_several, 0, "take several");
    all_ways(many_producers, 0, "many producers");
    struct shared *shared = new_shared(2, (struct fl_wait_policy){0, 0});
    CHECK(TEST_TSAN || test_in_threads(2, free_at_once, shared), "freed once it has been taken");
    return test_done();
}
