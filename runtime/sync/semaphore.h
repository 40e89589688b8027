/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Semaphores: a count in shared memory to which threads add, and from which others take and wait
 * until there is enough. A taker of several takes all of them at once or none, so takers cannot
 * hold parts that the others wait for. The order of takers is not specified.
 *
 * The count is in the high 31 bits of a word whose bit 0 says that a thread may be asleep, as in
 * wait.h. Adding clears the bit, in one exchange, and wakes all if it was set, because a poster does
 * not know who waits for how many. A sleeper sets the bit by compare-and-swap and sleeps only while
 * the word is exactly that, too small a count for it. So a sleeper has its bit in the word, or the
 * poster that cleared it will wake the sleeper. tests/litmus/semaphore.pml is the model.
 *
 * After the exchange a poster writes nothing of the semaphore, so a thread that has taken what it
 * waited for may free it.
 *
 * Threads of other hosts ask the keeper (sync/remote.h). While some are queued there the bit is set
 * too, and the poster that clears it tells the keeper to look again.
 */
#ifndef FL_SYNC_SEMAPHORE_H
#define FL_SYNC_SEMAPHORE_H

#include "comm/comm.h"
#include "core/wait.h"

/* The largest counts of an integer semaphore and of a boolean one, which stays 1 if it is posted
 * again. */
#define FL_SEMAPHORE_INTEGER 0x7fffffffu
#define FL_SEMAPHORE_BOOLEAN 1u

struct fl_semaphore {
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t word; /* count << 1 | a thread may sleep */
    _Atomic uint32_t sleepers;                     /* threads that have given up spinning */
    _Atomic uint32_t queued;                       /* threads in the keeper's queue */
    /* A line of its own: all read it, and only the first poster and the first waiter write it. */
    _Alignas(FL_CACHE_LINE) uint32_t limit; /* largest count; 0 when freed */
    uint32_t magic;
    bool one_poster, one_waiter;
    _Atomic uint32_t poster, waiter; /* thread + 1; see fl_semaphore_check_poster */
};
_Static_assert(sizeof(struct fl_semaphore) == 2 * FL_CACHE_LINE, "the count has its own line");

/* Makes a semaphore of count 0 of memory of this host. */
void fl_semaphore_init(struct fl_semaphore *semaphore, uint32_t limit, bool one_poster,
                       bool one_waiter);
/* Ends a semaphore. Fatal if a thread waits. */
void fl_semaphore_destroy(struct fl_semaphore *semaphore);

/* Fatal, in a message that names `what`, if this is no semaphore, or it is for one poster or
 * waiter, which is not `me`. */
void fl_semaphore_check_poster(struct fl_semaphore *semaphore, unsigned me, const char *what);
void fl_semaphore_check_waiter(struct fl_semaphore *semaphore, unsigned me, const char *what);

FL_COLD _Noreturn void fl_semaphore_overflow(const struct fl_semaphore *semaphore, uint64_t count);
FL_COLD void fl_semaphore_wake(struct fl_semaphore *semaphore);
FL_COLD void fl_semaphore_wait_slow(struct fl_semaphore *semaphore, size_t n,
                                    struct fl_wait_policy policy);

/* On several hosts. */
FL_COLD void fl_semaphore_post_far(struct fl_semaphore *semaphore, size_t n);
FL_COLD bool fl_semaphore_try_far(struct fl_semaphore *semaphore, size_t n);
FL_COLD void fl_semaphore_wait_far(struct fl_semaphore *semaphore, size_t n,
                                   struct fl_wait_policy policy);

/* The three for a semaphore in this host's memory. */
static inline void fl_semaphore_post_here(struct fl_semaphore *semaphore, size_t n) {
    uint32_t limit = semaphore->limit;
    if (FL_UNLIKELY(n > limit)) {
        fl_semaphore_overflow(semaphore, n);
    }
    /* The first guess, that all was taken, saves loading the line before; a wrong one tells. */
    uint32_t old = 0;
    uint64_t count;
    do {
        count = (old >> 1) + n;
        if (FL_UNLIKELY(count > limit)) {
            if (limit != FL_SEMAPHORE_BOOLEAN) {
                fl_semaphore_overflow(semaphore, count);
            }
            count = 1;
        }
        /* [C1] pairs [C2], [C3]; also if the count stays, for what this thread has written since. */
    } while (!atomic_compare_exchange_weak_explicit(&semaphore->word, &old, (uint32_t)count << 1,
                                                    memory_order_seq_cst, memory_order_relaxed));
    if (FL_UNLIKELY(old & FL_WAIT_SLEEPING)) {
        fl_semaphore_wake(semaphore);
    }
}

static inline bool fl_semaphore_try_here(struct fl_semaphore *semaphore, size_t n) {
    if (FL_UNLIKELY(n > semaphore->limit)) {
        fl_semaphore_overflow(semaphore, n);
    }
    uint32_t take = (uint32_t)n << 1;
    /* Relaxed: only a hint for the exchange. */
    uint32_t old = atomic_load_explicit(&semaphore->word, memory_order_relaxed);
    while (old >= take) {
        /* [C2] pairs [C1]; seq_cst because returning is a strict read. Keeps the bit: others may
         * sleep for more. */
        if (atomic_compare_exchange_weak_explicit(&semaphore->word, &old, old - take,
                                                  memory_order_seq_cst, memory_order_relaxed)) {
            return true;
        }
    }
    return false;
}

static inline void fl_semaphore_wait_here(struct fl_semaphore *semaphore, size_t n,
                                          struct fl_wait_policy policy) {
    if (FL_UNLIKELY(!fl_semaphore_try_here(semaphore, n))) {
        fl_semaphore_wait_slow(semaphore, n, policy);
    }
}

/* Adds `n`. Does not wait for takers. Fatal if the count exceeds the limit. A full fence, because
 * it is a strict write (UPC 1.3 5.1.2.3): a thread that takes this count sees all that was written
 * before. */
static inline void fl_semaphore_post(struct fl_semaphore *semaphore, size_t n) {
    if (FL_LIKELY(fl_comm_here.one_host)) {
        fl_semaphore_post_here(semaphore, n);
    } else {
        fl_semaphore_post_far(semaphore, n);
    }
}

/* Takes `n` at once if the count allows it. A full fence if it does. */
static inline bool fl_semaphore_try(struct fl_semaphore *semaphore, size_t n) {
    return FL_LIKELY(fl_comm_here.one_host) ? fl_semaphore_try_here(semaphore, n)
                                            : fl_semaphore_try_far(semaphore, n);
}

/* Blocks until it has taken `n`. A full fence. */
static inline void fl_semaphore_wait(struct fl_semaphore *semaphore, size_t n,
                                     struct fl_wait_policy policy) {
    if (FL_LIKELY(fl_comm_here.one_host)) {
        fl_semaphore_wait_here(semaphore, n, policy);
    } else {
        fl_semaphore_wait_far(semaphore, n, policy);
    }
}

/* Adds `n` to a semaphore of another host, without a fence: takes effect after what this thread has
 * put into memory of the same process, because it travels behind it. */
void fl_semaphore_post_behind(struct fl_semaphore *semaphore, size_t n);

/* ---- for semaphore_remote.c ---- */

struct fl_refusal;

void fl_semaphore_end(struct fl_semaphore *semaphore, struct fl_refusal *refusal);
/* `poster`, or else waiter. */
void fl_semaphore_check(struct fl_semaphore *semaphore, bool poster, unsigned me, const char *what,
                        struct fl_refusal *refusal);
/* Refuses an `n` that the semaphore cannot count. */
void fl_semaphore_check_count(const struct fl_semaphore *semaphore, uint64_t n,
                              struct fl_refusal *refusal);
/* Takes `n`, or else marks the word, so that the next poster tells the keeper, and returns
 * false. */
bool fl_semaphore_take_or_mark(struct fl_semaphore *semaphore, size_t n);

/* Tells the keeper that there is more to take. */
void fl_semaphore_tell(struct fl_semaphore *semaphore);

#endif
