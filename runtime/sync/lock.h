/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * User-visible locks (UPC 1.3 7.2.4): 64 bytes of shared memory that any thread of the job locks.
 *
 * A free lock goes to the first thread that tries, because handing it to a thread that sleeps would
 * cost a wake-up each time. But a thread that was woken and did not get the lock becomes hungry:
 * unlocking then reserves the lock for hungry threads, so no thread starves.
 *
 * Threads of other hosts send requests to the keeper, the process of the thread that has the
 * memory, whose handlers take and release the lock for them (sync/remote.h). While threads are
 * queued there, a bit of the word says so: unlocking then hands the lock to the first of them, by a
 * message to the keeper; in turns with hungry threads of this host. tests/litmus/lock.pml is the
 * model.
 *
 * A process that takes a lock of another host again and again keeps it: its threads then take and
 * release it without a message (sync/lock_cache.h) until the keeper recalls it, because another
 * host wants it. The process returns it at once, or when it is released. So a hand-over is two
 * messages at most: the lock comes back, and goes to the first in the queue.
 * tests/litmus/lock_cache.pml.
 */
#ifndef FL_SYNC_LOCK_H
#define FL_SYNC_LOCK_H

#include "comm/comm.h"
#include "core/wait.h"

struct fl_lock {
    /* (owner + 1) << 2 | threads of other hosts are queued | a thread may sleep */
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t state;
    _Atomic uint32_t hungry;
    uint32_t magic;
    uint32_t turn; /* for the holder: the next turn is that of hungry threads, not of queued ones */
    /* For the keeper's handlers: */
    uint32_t taker;   /* the process that took it last by a message, + 1 */
    uint32_t streak;  /* times in a row */
    uint32_t caution; /* how often lately it was kept without use */
    uint16_t kept;    /* by the taker */
    uint16_t recalled;
};
_Static_assert(sizeof(struct fl_lock) == FL_CACHE_LINE, "one lock, one line");

enum { FL_LOCK_FREE = 0, FL_LOCK_QUEUED = 2, FL_LOCK_BITS = 2 };

/* An owner: a UPC thread, by its number, or one of the threads that act in its name, by a further
 * number from 1 to FL_LOCK_ACTORS. */
enum { FL_LOCK_THREAD_BITS = 17, FL_LOCK_ACTORS = 8190 };

static inline unsigned fl_lock_owner(unsigned thread, unsigned actor) {
    return thread | actor << FL_LOCK_THREAD_BITS;
}

static inline uint32_t fl_lock_owned(unsigned owner) {
    return (owner + 1) << FL_LOCK_BITS;
}
_Static_assert(((FL_LOCK_ACTORS + 1u) << FL_LOCK_THREAD_BITS) < 0x3ffffffcu, "below those that are none");

/* Makes a free lock of memory of this host. */
void fl_lock_init(struct fl_lock *lock);

/* Ends a lock. Fatal for threads that wait for it. */
void fl_lock_destroy(struct fl_lock *lock);

/* Instead of an owner. */
#define FL_LOCK_AWAY (0x3ffffffcu << FL_LOCK_BITS)     /* a process of another host keeps it */
#define FL_LOCK_RESERVED (0x3ffffffdu << FL_LOCK_BITS) /* free, but only for hungry threads */
#define FL_LOCK_HANDED (0x3ffffffeu << FL_LOCK_BITS) /* free, but only for the first in the queue */
#define FL_LOCK_POISON (0x3fffffffu << FL_LOCK_BITS) /* in the state of a freed lock */

static inline uint32_t fl_lock_holder(uint32_t state) {
    return state >> FL_LOCK_BITS << FL_LOCK_BITS;
}

/* On several hosts. */
FL_COLD void fl_lock_acquire_far(struct fl_lock *lock, unsigned me, struct fl_wait_policy policy);
FL_COLD bool fl_lock_try_far(struct fl_lock *lock, unsigned me);
FL_COLD void fl_lock_release_far(struct fl_lock *lock, unsigned me);

FL_COLD void fl_lock_acquire_slow(struct fl_lock *lock, unsigned me, struct fl_wait_policy policy);
FL_COLD void fl_lock_release_slow(struct fl_lock *lock, unsigned me);
FL_COLD bool fl_lock_try_failed(struct fl_lock *lock, unsigned me, uint32_t state);

/* The same for a lock in this host's memory. */
static inline void fl_lock_acquire_here(struct fl_lock *lock, unsigned me,
                                        struct fl_wait_policy policy) {
    uint32_t free = FL_LOCK_FREE;
    /* [L1] pairs [L2]; seq_cst because returning is a strict read (UPC 1.3 5.1.2.3). */
    if (FL_UNLIKELY(!atomic_compare_exchange_strong_explicit(&lock->state, &free, fl_lock_owned(me),
                                                             memory_order_seq_cst,
                                                             memory_order_relaxed))) {
        fl_lock_acquire_slow(lock, me, policy);
    }
}

static inline bool fl_lock_try_here(struct fl_lock *lock, unsigned me) {
    uint32_t state = FL_LOCK_FREE;
    /* [L1] pairs [L2]. */
    if (atomic_compare_exchange_strong_explicit(&lock->state, &state, fl_lock_owned(me),
                                                memory_order_seq_cst, memory_order_relaxed)) {
        return true;
    }
    return fl_lock_try_failed(lock, me, state);
}

static inline void fl_lock_release_here(struct fl_lock *lock, unsigned me) {
    uint32_t mine = fl_lock_owned(me);
    /* [L2] pairs [L1], [L3]. */
    if (FL_UNLIKELY(!atomic_compare_exchange_strong_explicit(
            &lock->state, &mine, FL_LOCK_FREE, memory_order_seq_cst, memory_order_relaxed))) {
        fl_lock_release_slow(lock, me);
    }
}

/* Blocks until `me` has the lock. Fatal if it has it already. A full fence. */
static inline void fl_lock_acquire(struct fl_lock *lock, unsigned me,
                                   struct fl_wait_policy policy) {
    if (FL_LIKELY(fl_comm_here.one_host)) {
        fl_lock_acquire_here(lock, me, policy);
    } else {
        fl_lock_acquire_far(lock, me, policy);
    }
}

/* True if it got the lock; does not wait for it. */
static inline bool fl_lock_try(struct fl_lock *lock, unsigned me) {
    return FL_LIKELY(fl_comm_here.one_host) ? fl_lock_try_here(lock, me)
                                            : fl_lock_try_far(lock, me);
}

/* Fatal if `me` does not hold it. A full fence, because it is a strict write. */
static inline void fl_lock_release(struct fl_lock *lock, unsigned me) {
    if (FL_LIKELY(fl_comm_here.one_host)) {
        fl_lock_release_here(lock, me);
    } else {
        fl_lock_release_far(lock, me);
    }
}

/* Who holds the lock, as fl_lock_owner says, plus 1; 0: nobody, or it is on its way. Asks the hosts
 * that know. For messages: it may be another's by now, unless no thread can go on. */
FL_COLD uint32_t fl_lock_holder_now(const struct fl_lock *lock);

/* ---- for lock_remote.c ---- */

struct fl_refusal;

/* Takes the lock for a thread of another host, or if `keep` for its process: true if it was free.
 * Otherwise marks in the word that a thread is queued, if `queue`. */
bool fl_lock_take_for(struct fl_lock *lock, unsigned thread, bool queue, bool keep,
                      struct fl_refusal *refusal);
/* The process that keeps the lock returns it: true if it is now for the first in the queue. */
bool fl_lock_come_back(struct fl_lock *lock);
/* Releases the lock for a thread of another host: true if it is now for the first in the queue. */
bool fl_lock_release_for(struct fl_lock *lock, unsigned thread, struct fl_refusal *refusal);
/* Gives a handed lock to `thread`, the first in the queue; `more`: others are queued behind it.
 * False if the lock is not handed. */
bool fl_lock_grant(struct fl_lock *lock, unsigned thread, bool more);
/* Whether there is a lock that has not ended, as far as the memory tells. */
bool fl_lock_is_alive(const struct fl_lock *lock);
/* No longer a lock: true if threads are queued, or a process keeps it. */
bool fl_lock_end(struct fl_lock *lock, struct fl_refusal *refusal);

/* Tells the keeper that a lock in this host's memory is for the first in its queue. */
void fl_lock_hand_over(struct fl_lock *lock);
/* Tells the keeper that a thread of this host wants a lock that another host's process keeps. */
FL_COLD void fl_lock_want(struct fl_lock *lock);

/* "thread 3" */
struct fl_lock_name {
    char text[48];
};
struct fl_lock_name fl_lock_name_of(unsigned owner);

#endif
