/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * User-visible locks (UPC 1.3 7.2.4): 64 bytes of shared memory that any thread of the job locks.
 *
 * A free lock goes to whoever comes, because handing it to a thread that sleeps would cost a
 * wake-up each time. But a thread that was woken in vain becomes hungry: unlocking then reserves
 * the lock for hungry threads, so nobody waits for ever.
 */
#ifndef FL_SYNC_LOCK_H
#define FL_SYNC_LOCK_H

#include "core/wait.h"

#define FL_LOCK_FREE 0u
#define FL_LOCK_RESERVED 0xfffffffdu /* free, but only for hungry threads */

struct fl_lock {
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t state; /* (owner + 1) << 1 | somebody may sleep */
    _Atomic uint32_t hungry;
    uint32_t magic;
};
_Static_assert(sizeof(struct fl_lock) == FL_CACHE_LINE, "one lock, one line");

/* The memory becomes a free lock, or stops being one. */
void fl_lock_init(struct fl_lock *lock);
void fl_lock_destroy(struct fl_lock *lock);

FL_COLD void fl_lock_acquire_slow(struct fl_lock *lock, unsigned me, struct fl_wait_policy policy);
FL_COLD void fl_lock_release_slow(struct fl_lock *lock, unsigned me, uint32_t old);
FL_COLD bool fl_lock_try_failed(struct fl_lock *lock, unsigned me, uint32_t state);

/* Blocks until `me` has the lock. Fatal if it has it already. A full fence. */
static inline void fl_lock_acquire(struct fl_lock *lock, unsigned me,
                                   struct fl_wait_policy policy) {
    uint32_t free = FL_LOCK_FREE;
    /* [L1] pairs [L2]; seq_cst because returning is a strict read (UPC 1.3 5.1.2.3). */
    if (FL_UNLIKELY(!atomic_compare_exchange_strong_explicit(
            &lock->state, &free, (me + 1) << 1, memory_order_seq_cst, memory_order_relaxed))) {
        fl_lock_acquire_slow(lock, me, policy);
    }
}

/* True if it got the lock; never blocks. */
static inline bool fl_lock_try(struct fl_lock *lock, unsigned me) {
    uint32_t state = FL_LOCK_FREE;
    /* [L1] pairs [L2]. */
    if (atomic_compare_exchange_strong_explicit(&lock->state, &state, (me + 1) << 1,
                                                memory_order_seq_cst, memory_order_relaxed)) {
        return true;
    }
    return fl_lock_try_failed(lock, me, state);
}

/* Fatal if `me` does not hold it. A full fence, because it is a strict write. */
static inline void fl_lock_release(struct fl_lock *lock, unsigned me) {
    uint32_t mine = (me + 1) << 1;
    /* [L2] pairs [L1], [L3]. */
    if (FL_UNLIKELY(!atomic_compare_exchange_strong_explicit(
            &lock->state, &mine, FL_LOCK_FREE, memory_order_seq_cst, memory_order_relaxed))) {
        fl_lock_release_slow(lock, me, mine);
    }
}

#endif
