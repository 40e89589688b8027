/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What threads of all hosts do with locks and semaphores in the memory of one: bodies that tell
 * whether it went well. A test defines REMOTE_ROUNDS and includes comm/world_for_test.h first.
 */
#ifndef FL_SYNC_REMOTE_FOR_TEST_H
#define FL_SYNC_REMOTE_FOR_TEST_H

#include "sync/lock.h"
#include "sync/remote.h"
#include "sync/semaphore.h"

enum { ROUNDS = REMOTE_ROUNDS, LOCKS = 3 };

static struct fl_queue queue;
static struct fl_wait_policy policy;

static void register_handlers(void) {
    fl_queue_start(&queue, 2);
    policy = (struct fl_wait_policy){.spins = 20, .yields = 5};
}

/* The data in each thread's segment. */
struct segment {
    struct fl_lock lock;
    struct fl_semaphore semaphore, seen;
    uint64_t count; /* the lock is all that protects it */
    uint64_t item[MOST_THREADS];
};

static struct segment *at(unsigned thread) {
    return (struct segment *)fl_space_address(&space, thread, 0);
}

static void init(unsigned me) {
    fl_lock_init(&at(me)->lock);
    fl_semaphore_init(&at(me)->semaphore, FL_SEMAPHORE_INTEGER, false, false);
    fl_semaphore_init(&at(me)->seen, FL_SEMAPHORE_INTEGER, false, false);
    meet();
}

static void add(uint64_t *count) {
    uint64_t value;
    fl_comm_get(&value, (uint64_t)count, sizeof value);
    TRANSPORT(access)();
    value++;
    fl_comm_put_relaxed((uint64_t)count, &value, sizeof value);
}

static uint64_t read_count(const uint64_t *count) {
    uint64_t value;
    fl_comm_get(&value, (uint64_t)count, sizeof value);
    return value;
}

static void lock(struct fl_lock *l, unsigned me, int round) {
    if (round % 5 == 4) {
        while (!fl_lock_try(l, me)) {
            fl_comm_poll();
            fl_os_yield();
        }
    } else {
        fl_lock_acquire(l, me, policy);
    }
}

/* A few locks, in the memory of the first, a middle and the last thread; the counts they protect
 * are elsewhere. TSan does not see orders that other processes make: there they are beside. */
static bool exclude(unsigned me, void *context) {
    unsigned threads = threads_of(context);
    const unsigned owners[LOCKS] = {0, threads / 2, threads - 1};
    init(me);
    for (int i = 0; i < ROUNDS; i++) {
        unsigned owner = owners[((unsigned)i + me) % LOCKS];
        lock(&at(owner)->lock, me, i);
        add(&at((owner + !TEST_TSAN) % threads)->count);
        fl_lock_release(&at(owner)->lock, me);
    }
    fl_comm_quiet();
    meet();
    uint64_t all = 0;
    for (unsigned t = 0; t < threads; t++) {
        fl_lock_acquire(&at(t)->lock, me, policy);
        all += read_count(&at(t)->count);
        fl_lock_release(&at(t)->lock, me);
    }
    meet();
    if (me == 0) {
        fl_lock_destroy(&at(threads - 1)->lock);
    }
    return all == (uint64_t)threads * ROUNDS;
}

/* Locks that one process takes again and again, until another one does: kept, recalled while they are
 * free and while they are held, and tried. */
static bool keep(unsigned me, void *context) {
    unsigned threads = threads_of(context);
    bool good = true;
    init(me);
    for (int i = 0; i < ROUNDS / 8; i++) {
        unsigned owner = (me + 1 + (unsigned)i / 10) % threads;
        for (int times = 0; times < 5; times++) {
            lock(&at(owner)->lock, me, i);
            add(&at(owner)->count);
            fl_lock_release(&at(owner)->lock, me);
        }
        fl_lock_acquire(&at(0)->lock, me, policy);
        add(&at(0)->item[0]);
        for (int times = 0; times < 20 && i % 4 == 0; times++) {
            fl_comm_poll();
        }
        fl_lock_release(&at(0)->lock, me);
    }
    fl_comm_quiet();
    /* The keeper has the last release before this read, which follows it. The item is never
     * written. */
    read_count(&at(0)->item[1]);
    meet();
    /* No thread holds the lock, whichever process keeps it: the first try gets it. */
    for (unsigned t = 0; t < threads; t++) {
        if (me == t && fl_lock_try(&at(0)->lock, me)) {
            uint64_t item = read_count(&at(0)->item[0]);
            good = good && item == (uint64_t)threads * (ROUNDS / 8);
            fl_lock_release(&at(0)->lock, me);
            read_count(&at(0)->item[1]);
        } else {
            good = good && me != t;
        }
        meet();
    }
    uint64_t all = 0;
    for (unsigned t = 0; t < threads; t++) {
        all += read_count(&at(t)->count);
    }
    meet();
    if (me == 0) {
        for (unsigned t = 0; t < threads; t++) {
            fl_lock_destroy(&at(t)->lock);
        }
    }
    meet();
    return good && all == (uint64_t)threads * (ROUNDS / 8) * 5;
}

/* All post to one semaphore and take from it, as much in the end as was posted. */
static bool exchange(unsigned me, void *context) {
    struct fl_semaphore *s = &at(threads_of(context) - 1)->semaphore;
    init(me);
    for (int i = 0; i < ROUNDS; i++) {
        fl_semaphore_post(s, 3);
        if (i % 3 == 0) {
            while (!fl_semaphore_try(s, 1)) {
                fl_comm_poll();
                fl_os_yield();
            }
        } else {
            fl_semaphore_wait(s, 1, policy);
        }
        fl_semaphore_wait(s, 2, policy);
    }
    meet();
    return me != 0 || !fl_semaphore_try(s, 1);
}

/* Each thread puts an item at thread 0 and posts behind it; thread 0 sees it, and answers. */
static bool behind(unsigned me, void *context) {
    unsigned threads = threads_of(context);
    init(me);
    bool good = true;
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        if (me > 0) {
            uint64_t *item = &at(0)->item[me];
            fl_comm_put_relaxed((uint64_t)item, &i, sizeof i);
            if (fl_comm_is_here((uint64_t)item)) {
                fl_semaphore_post(&at(0)->semaphore, 1);
            } else {
                fl_semaphore_post_behind(&at(0)->semaphore, 1);
            }
            fl_semaphore_wait(&at(me)->seen, 1, policy);
            continue;
        }
        fl_semaphore_wait(&at(0)->semaphore, threads - 1, policy);
        for (unsigned t = 1; t < threads; t++) {
            good &= at(0)->item[t] == i;
            fl_semaphore_post(&at(t)->seen, 1);
        }
    }
    return good;
}

#endif
