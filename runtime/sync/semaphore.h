/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Semaphores: a count in shared memory to which threads add, and from which others take and wait
 * until there is enough. A taker of several takes all of them at once or none, so takers cannot
 * hold parts that the others wait for. Who takes first is not specified.
 *
 * The count is in the high 31 bits of a word whose bit 0 says that somebody may be asleep, as in
 * wait.h. Adding clears the bit, in one exchange, and wakes all if it was set, because a poster does
 * not know who waits for how many. A sleeper sets the bit by compare-and-swap and sleeps only while
 * the word is exactly that, too small a count for it. So whoever sleeps has its bit in the word, or
 * the poster that cleared it will wake it. tests/litmus/semaphore.pml is the model.
 *
 * After the exchange a poster reads and writes nothing of the semaphore, so a thread that has taken
 * what it waited for may free it.
 */
#ifndef FL_SYNC_SEMAPHORE_H
#define FL_SYNC_SEMAPHORE_H

#include "core/wait.h"

/* The largest counts of an integer semaphore and of a boolean one, which stays 1 if it is posted
 * again. */
#define FL_SEMAPHORE_INTEGER 0x7fffffffu
#define FL_SEMAPHORE_BOOLEAN 1u

struct fl_semaphore {
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t word; /* count << 1 | somebody may sleep */
    _Atomic uint32_t sleepers;                     /* threads that have given up spinning */
    /* A line of its own: all read it, and nobody writes it but the first who post and wait. */
    _Alignas(FL_CACHE_LINE) uint32_t limit; /* largest count; 0 when freed */
    uint32_t magic;
    bool one_poster, one_waiter;
    _Atomic uint32_t poster, waiter; /* thread + 1; see fl_semaphore_check_poster */
};
_Static_assert(sizeof(struct fl_semaphore) == 2 * FL_CACHE_LINE, "the count has its own line");

/* The memory becomes a semaphore of count 0, or stops being one: fatal if a thread waits. */
void fl_semaphore_init(struct fl_semaphore *semaphore, uint32_t limit, bool one_poster,
                       bool one_waiter);
void fl_semaphore_destroy(struct fl_semaphore *semaphore);

/* Fatal, in the name of `what`, if it is no semaphore, or has one poster or waiter and that is not
 * `me`. */
void fl_semaphore_check_poster(struct fl_semaphore *semaphore, unsigned me, const char *what);
void fl_semaphore_check_waiter(struct fl_semaphore *semaphore, unsigned me, const char *what);

FL_COLD _Noreturn void fl_semaphore_refuse(const struct fl_semaphore *semaphore, uint64_t count);
FL_COLD void fl_semaphore_wake(struct fl_semaphore *semaphore);
FL_COLD void fl_semaphore_wait_slow(struct fl_semaphore *semaphore, size_t n,
                                    struct fl_wait_policy policy);

/* Adds `n`. Never blocks. Fatal if the count exceeds the limit. A full fence, because it is a
 * strict write (UPC 1.3 5.1.2.3): whoever takes this count sees all that was written before. */
static inline void fl_semaphore_post(struct fl_semaphore *semaphore, size_t n) {
    uint32_t limit = semaphore->limit;
    if (FL_UNLIKELY(n > limit)) {
        fl_semaphore_refuse(semaphore, n);
    }
    /* The first guess, that all was taken, saves loading the line before; a wrong one tells. */
    uint32_t old = 0;
    uint64_t count;
    do {
        count = (old >> 1) + n;
        if (FL_UNLIKELY(count > limit)) {
            if (limit != FL_SEMAPHORE_BOOLEAN) {
                fl_semaphore_refuse(semaphore, count);
            }
            count = 1;
        }
        /* [C1] pairs [C2]; also if the count stays, for what this thread has written since. */
    } while (!atomic_compare_exchange_weak_explicit(&semaphore->word, &old, (uint32_t)count << 1,
                                                    memory_order_seq_cst, memory_order_relaxed));
    if (FL_UNLIKELY(old & FL_WAIT_SLEEPING)) {
        fl_semaphore_wake(semaphore);
    }
}

/* Takes `n` at once if the count allows it; never blocks. A full fence if it does. */
static inline bool fl_semaphore_try(struct fl_semaphore *semaphore, size_t n) {
    if (FL_UNLIKELY(n > semaphore->limit)) {
        fl_semaphore_refuse(semaphore, n);
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

/* Blocks until it has taken `n`. A full fence. */
static inline void fl_semaphore_wait(struct fl_semaphore *semaphore, size_t n,
                                     struct fl_wait_policy policy) {
    if (FL_UNLIKELY(!fl_semaphore_try(semaphore, n))) {
        fl_semaphore_wait_slow(semaphore, n, policy);
    }
}

#endif
