/* SPDX-License-Identifier: BSD-3-Clause */
/* See semaphore.h. This file: semaphores in this host's memory. */
#include "sync/semaphore.h"

#include "core/assert.h"
#include "sync/remote.h"

#include <inttypes.h>

#define MAGIC 0x616d6573u

void fl_semaphore_init(struct fl_semaphore *semaphore, uint32_t limit, bool one_poster,
                       bool one_waiter) {
    semaphore->limit = limit;
    semaphore->magic = MAGIC;
    semaphore->one_poster = one_poster;
    semaphore->one_waiter = one_waiter;
    /* Relaxed: other threads get the semaphore's address by synchronisation of the program. */
    atomic_store_explicit(&semaphore->poster, 0, memory_order_relaxed);
    atomic_store_explicit(&semaphore->waiter, 0, memory_order_relaxed);
    atomic_store_explicit(&semaphore->sleepers, 0, memory_order_relaxed);
    atomic_store_explicit(&semaphore->queued, 0, memory_order_relaxed);
    atomic_store_explicit(&semaphore->word, 0, memory_order_relaxed);
}

static bool alive(const struct fl_semaphore *semaphore, const char *what,
                  struct fl_refusal *refusal) {
    if (semaphore->magic != MAGIC) {
        fl_refuse(refusal, "%s: %p is not a semaphore, or was freed", what,
                  (const void *)semaphore);
        return false;
    }
    return true;
}

void fl_semaphore_end(struct fl_semaphore *semaphore, struct fl_refusal *refusal) {
    if (!alive(semaphore, "bupc_sem_free", refusal)) {
        return;
    }
    /* Relaxed: waiting for a semaphore while it is freed is an error whose detection is best
     * effort. */
    uint32_t waiters = atomic_load_explicit(&semaphore->sleepers, memory_order_relaxed) +
                       atomic_load_explicit(&semaphore->queued, memory_order_relaxed);
    if (waiters > 0) {
        fl_refuse(refusal, "bupc_sem_free: %" PRIu32 " thread(s) wait for the semaphore at %p",
                  waiters, (void *)semaphore);
        return;
    }
    semaphore->magic = 0;
    semaphore->limit = 0;
}

void fl_semaphore_check(struct fl_semaphore *semaphore, bool poster, unsigned me, const char *what,
                        struct fl_refusal *refusal) {
    if (!alive(semaphore, what, refusal) ||
        !(poster ? semaphore->one_poster : semaphore->one_waiter)) {
        return;
    }
    uint32_t first = 0;
    /* Relaxed: a number, through which nothing else is read. */
    if (!atomic_compare_exchange_strong_explicit(poster ? &semaphore->poster : &semaphore->waiter,
                                                 &first, me + 1, memory_order_relaxed,
                                                 memory_order_relaxed) &&
        first != me + 1) {
        fl_refuse(refusal, "%s: the semaphore was allocated with %s, and thread %u came first",
                  what, poster ? "BUPC_SEM_SPRODUCER" : "BUPC_SEM_SCONSUMER", first - 1);
    }
}

static void refuse_count(const struct fl_semaphore *semaphore, uint64_t count,
                         struct fl_refusal *refusal) {
    if (alive(semaphore, "a post or wait", refusal)) {
        fl_refuse(refusal,
                  "the %s semaphore at %p cannot count %" PRIu64 ", only up to %" PRIu32,
                  semaphore->limit == FL_SEMAPHORE_BOOLEAN ? "boolean" : "integer",
                  (const void *)semaphore, count, semaphore->limit);
    }
}

void fl_semaphore_check_count(const struct fl_semaphore *semaphore, uint64_t n,
                              struct fl_refusal *refusal) {
    if (alive(semaphore, "a post or wait", refusal) && n > semaphore->limit) {
        refuse_count(semaphore, n, refusal);
    }
}

void fl_semaphore_overflow(const struct fl_semaphore *semaphore, uint64_t count) {
    struct fl_refusal refusal;
    refuse_count(semaphore, count, &refusal);
    fl_fatal(FL_CODE_SEMAPHORE_MISUSE, "%s", refusal.text);
}

bool fl_semaphore_take_or_mark(struct fl_semaphore *semaphore, size_t n) {
    for (;;) {
        if (fl_semaphore_try_here(semaphore, n)) {
            return true;
        }
        /* [C3] pairs [C1], and so does the exchange: a poster whose change is not seen here sees
         * the bit, and then that a request is queued. */
        uint32_t word = atomic_load_explicit(&semaphore->word, memory_order_seq_cst);
        uint32_t marked = word | FL_WAIT_SLEEPING;
        if (word >> 1 < n &&
            (word == marked ||
             atomic_compare_exchange_strong_explicit(&semaphore->word, &word, marked,
                                                     memory_order_seq_cst, memory_order_relaxed))) {
            return false;
        }
    }
}

void fl_semaphore_wake(struct fl_semaphore *semaphore) {
    fl_os_futex_wake(&semaphore->word, INT32_MAX);
    /* A thread that has taken all may have freed the memory: then the keeper finds no thread in its
     * queue. seq_cst: see [C3]. */
    if (!fl_comm_here.one_host &&
        atomic_load_explicit(&semaphore->queued, memory_order_seq_cst) > 0) {
        fl_semaphore_tell(semaphore);
    }
}

/* Sleeps if the count is less than `n`; may return early. */
static void sleep_if_less(struct fl_semaphore *semaphore, size_t n) {
    /* Relaxed: the exchange and the kernel decide whether it is still right. */
    uint32_t word = atomic_load_explicit(&semaphore->word, memory_order_relaxed);
    uint32_t marked = word | FL_WAIT_SLEEPING;
    if (word >> 1 < n &&
        (word == marked ||
         /* Relaxed: publishes nothing. Succeeds only if no thread has posted since, and then
          * the next poster sees the bit. */
         atomic_compare_exchange_strong_explicit(&semaphore->word, &word, marked,
                                                 memory_order_relaxed, memory_order_relaxed))) {
        fl_wait_sleep_for_thread(&semaphore->word, marked);
    }
}

void fl_semaphore_wait_slow(struct fl_semaphore *semaphore, size_t n,
                            struct fl_wait_policy policy) {
    for (uint32_t i = 0; i < policy.spins; i++) {
        fl_wait_poll();
        if (fl_semaphore_try_here(semaphore, n)) {
            return;
        }
    }
    for (uint32_t i = 0; i < policy.yields; i++) {
        fl_os_yield();
        fl_wait_poll();
        if (fl_semaphore_try_here(semaphore, n)) {
            return;
        }
    }
    fl_wait_begin("bupc_sem_wait", NULL, 0);
    fl_wait_note_time();
    fl_wait_rest();
    /* Relaxed: to report a semaphore that is freed too early. */
    atomic_fetch_add_explicit(&semaphore->sleepers, 1, memory_order_relaxed);
    do {
        sleep_if_less(semaphore, n);
    } while (!fl_semaphore_try_here(semaphore, n));
    uint32_t sleepers =
        atomic_fetch_sub_explicit(&semaphore->sleepers, 1, memory_order_relaxed);
    fl_assert(sleepers > 0);
    fl_wait_end();
}
