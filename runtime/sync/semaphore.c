/* SPDX-License-Identifier: BSD-3-Clause */
/* See semaphore.h. */
#include "sync/semaphore.h"

#include "core/fatal.h"

#include <inttypes.h>

#define MAGIC 0x616d6573u

void fl_semaphore_init(struct fl_semaphore *semaphore, uint32_t limit, bool one_poster,
                       bool one_waiter) {
    semaphore->limit = limit;
    semaphore->magic = MAGIC;
    semaphore->one_poster = one_poster;
    semaphore->one_waiter = one_waiter;
    /* Relaxed: whoever learns of the semaphore does so through something that orders. */
    atomic_store_explicit(&semaphore->poster, 0, memory_order_relaxed);
    atomic_store_explicit(&semaphore->waiter, 0, memory_order_relaxed);
    atomic_store_explicit(&semaphore->sleepers, 0, memory_order_relaxed);
    atomic_store_explicit(&semaphore->word, 0, memory_order_relaxed);
}

static void check_alive(const struct fl_semaphore *semaphore, const char *what) {
    if (semaphore->magic != MAGIC) {
        fl_fatal(FL_CODE_SEMAPHORE_MISUSE, "%s: %p is not a semaphore, or was freed", what,
                 (const void *)semaphore);
    }
}

void fl_semaphore_destroy(struct fl_semaphore *semaphore) {
    check_alive(semaphore, "bupc_sem_free");
    /* Relaxed: waiting for a semaphore while it is freed is an error whose detection is best
     * effort. */
    uint32_t sleepers = atomic_load_explicit(&semaphore->sleepers, memory_order_relaxed);
    if (sleepers > 0) {
        fl_fatal(FL_CODE_SEMAPHORE_MISUSE,
                 "bupc_sem_free: %" PRIu32 " thread(s) wait for the semaphore at %p", sleepers,
                 (void *)semaphore);
    }
    semaphore->magic = 0;
    semaphore->limit = 0;
}

static void check_only(_Atomic uint32_t *only, unsigned me, const char *flag, const char *what) {
    uint32_t first = 0;
    /* Relaxed: a number, through which nothing else is read. */
    if (!atomic_compare_exchange_strong_explicit(only, &first, me + 1, memory_order_relaxed,
                                                 memory_order_relaxed) &&
        first != me + 1) {
        fl_fatal(FL_CODE_SEMAPHORE_MISUSE,
                 "%s: the semaphore was allocated with %s, and thread %u came first", what, flag,
                 first - 1);
    }
}

void fl_semaphore_check_poster(struct fl_semaphore *semaphore, unsigned me, const char *what) {
    check_alive(semaphore, what);
    if (semaphore->one_poster) {
        check_only(&semaphore->poster, me, "BUPC_SEM_SPRODUCER", what);
    }
}

void fl_semaphore_check_waiter(struct fl_semaphore *semaphore, unsigned me, const char *what) {
    check_alive(semaphore, what);
    if (semaphore->one_waiter) {
        check_only(&semaphore->waiter, me, "BUPC_SEM_SCONSUMER", what);
    }
}

void fl_semaphore_refuse(const struct fl_semaphore *semaphore, uint64_t count) {
    check_alive(semaphore, "a post or wait");
    fl_fatal(FL_CODE_SEMAPHORE_MISUSE,
             "the %s semaphore at %p cannot count %" PRIu64 ", only up to %" PRIu32,
             semaphore->limit == FL_SEMAPHORE_BOOLEAN ? "boolean" : "integer",
             (const void *)semaphore, count, semaphore->limit);
}

void fl_semaphore_wake(struct fl_semaphore *semaphore) {
    fl_os_futex_wake(&semaphore->word, INT32_MAX);
}

/* Sleeps if the count is less than `n`; may return early. */
static void sleep_if_less(struct fl_semaphore *semaphore, size_t n) {
    /* Relaxed: the exchange and the kernel decide whether it is still right. */
    uint32_t word = atomic_load_explicit(&semaphore->word, memory_order_relaxed);
    uint32_t marked = word | FL_WAIT_SLEEPING;
    if (word >> 1 < n &&
        (word == marked ||
         /* Relaxed: publishes nothing. Succeeds only if nobody has posted since, and then the
          * next poster sees the bit. */
         atomic_compare_exchange_strong_explicit(&semaphore->word, &word, marked,
                                                 memory_order_relaxed, memory_order_relaxed))) {
        fl_os_futex_wait(&semaphore->word, marked);
    }
}

void fl_semaphore_wait_slow(struct fl_semaphore *semaphore, size_t n,
                            struct fl_wait_policy policy) {
    for (uint32_t i = 0; i < policy.spins; i++) {
        if (fl_semaphore_try(semaphore, n)) {
            return;
        }
    }
    for (uint32_t i = 0; i < policy.yields; i++) {
        fl_os_yield();
        if (fl_semaphore_try(semaphore, n)) {
            return;
        }
    }
    fl_wait_begin("bupc_sem_wait", NULL, 0);
    fl_wait_note_time();
    /* Relaxed: for whoever frees the semaphore too early. */
    atomic_fetch_add_explicit(&semaphore->sleepers, 1, memory_order_relaxed);
    do {
        sleep_if_less(semaphore, n);
    } while (!fl_semaphore_try(semaphore, n));
    atomic_fetch_sub_explicit(&semaphore->sleepers, 1, memory_order_relaxed);
    fl_wait_end();
}
