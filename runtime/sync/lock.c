/* SPDX-License-Identifier: BSD-3-Clause */
/* See lock.h. This file: locks in this host's memory. */
#include "sync/lock.h"

#include "core/assert.h"
#include "sync/remote.h"

#include <stdio.h>

#define MAGIC 0x6b636f6cu

enum { RECALL_LOOKS = 256 /* failed polls between two requests to recall a lock that is away */ };

void fl_lock_init(struct fl_lock *lock) {
    lock->magic = MAGIC;
    lock->turn = 0;
    lock->taker = lock->streak = lock->caution = 0;
    lock->kept = lock->recalled = 0;
    /* Relaxed: other threads get the lock's address by synchronisation of the program. */
    atomic_store_explicit(&lock->hungry, 0, memory_order_relaxed);
    atomic_store_explicit(&lock->state, FL_LOCK_FREE, memory_order_relaxed);
}

bool fl_lock_is_alive(const struct fl_lock *lock) {
    return lock->magic == MAGIC;
}

bool fl_lock_end(struct fl_lock *lock, struct fl_refusal *refusal) {
    if (lock->magic != MAGIC) {
        fl_refuse(refusal, "upc_lock_free: %p is not a lock, or was freed before", (void *)lock);
        return false;
    }
    lock->magic = 0;
    /* Relaxed: using the lock from here on is an error whose detection is best effort. */
    uint32_t state = atomic_exchange_explicit(&lock->state, FL_LOCK_POISON, memory_order_relaxed);
    if (state & FL_WAIT_SLEEPING) {
        fl_os_futex_wake(&lock->state, INT32_MAX);
    }
    return (state & FL_LOCK_QUEUED) || fl_lock_holder(state) == FL_LOCK_AWAY;
}

struct fl_lock_name fl_lock_name_of(unsigned owner) {
    struct fl_lock_name name;
    unsigned thread = owner & ((1u << FL_LOCK_THREAD_BITS) - 1);
    snprintf(name.text, sizeof name.text,
             owner == thread ? "thread %u" : "a thread that thread %u has made", thread);
    return name;
}

static void check_use(const struct fl_lock *lock, unsigned me, uint32_t state,
                      struct fl_refusal *refusal) {
    if (lock->magic != MAGIC || fl_lock_holder(state) == FL_LOCK_POISON) {
        fl_refuse(refusal, "%s uses the lock at %p, which is not a lock, or was freed", fl_lock_name_of(me).text,
                  (const void *)lock);
    } else if (fl_lock_holder(state) == fl_lock_owned(me)) {
        fl_refuse(refusal,
                  "%s locks the lock at %p, which it holds already; locks are not recursive",
                  fl_lock_name_of(me).text, (const void *)lock);
    }
}

static void check_use_here(const struct fl_lock *lock, unsigned me, uint32_t state) {
    struct fl_refusal refusal = {0};
    check_use(lock, me, state, &refusal);
    if (refusal.refused) {
        fl_fatal(FL_CODE_LOCK_MISUSE, "%s", refusal.text);
    }
}

bool fl_lock_try_failed(struct fl_lock *lock, unsigned me, uint32_t state) {
    check_use_here(lock, me, state);
    return false;
}

/* Takes the lock if it is to be had. Otherwise *state_p is a state in which this thread may sleep:
 * a failed exchange can show a lock that is free or reserved by now, and a thread that slept on
 * that would sleep for ever. `sleeping` is kept in the word if others may still sleep. */
static bool take(struct fl_lock *lock, unsigned me, bool sleeping, bool hungry, uint32_t *state_p) {
    uint32_t mine = fl_lock_owned(me) | (uint32_t)sleeping;
    /* Relaxed: only a hint for the exchange. */
    *state_p = atomic_load_explicit(&lock->state, memory_order_relaxed);
    while (*state_p == FL_LOCK_FREE || (hungry && fl_lock_holder(*state_p) == FL_LOCK_RESERVED)) {
        /* [L3] pairs [L2]. */
        if (atomic_compare_exchange_strong_explicit(&lock->state, state_p,
                                                    mine | (*state_p & FL_LOCK_QUEUED),
                                                    memory_order_seq_cst, memory_order_relaxed)) {
            return true;
        }
    }
    return false;
}

/* Whether the process that keeps the lock has been asked for it: another message would say nothing
 * new, and a job in which no thread can go on would go on to send some. Relaxed: if that was another
 * time, the thread looks again after it has slept in vain. */
static bool is_recalled(const struct fl_lock *lock) {
    return fl_wait_vain && __atomic_load_n(&lock->recalled, __ATOMIC_RELAXED);
}

/* A thread that waits for a lock that is away asks for it from time to time: the lock may have come
 * back, and gone again. */
static inline void recall(struct fl_lock *lock, uint32_t state, uint32_t times) {
    if (FL_UNLIKELY(fl_lock_holder(state) == FL_LOCK_AWAY) && times % RECALL_LOOKS == 0 &&
        !is_recalled(lock)) {
        fl_lock_want(lock);
    }
}

/* Sleeps while the lock is for others. */
static void sleep_while_held(struct fl_lock *lock, uint32_t state) {
    uint32_t marked = state | FL_WAIT_SLEEPING;
    /* Relaxed: as in wait.h, the exchange in release and this one cannot both miss the other. */
    if (state == marked ||
        atomic_compare_exchange_strong_explicit(&lock->state, &state, marked, memory_order_relaxed,
                                                memory_order_relaxed)) {
        recall(lock, marked, 0); /* not before it is marked: it might come and go in between */
        fl_wait_sleep_for_thread(&lock->state, marked);
    }
}

static void acquire_asleep(struct fl_lock *lock, unsigned me) {
    uint32_t state;
    bool hungry = false;
    while (!take(lock, me, true, hungry, &state)) {
        check_use_here(lock, me, state);
        sleep_while_held(lock, state);
        if (!hungry) {
            hungry = true;
            /* [L4] pairs [L5]. */
            atomic_fetch_add_explicit(&lock->hungry, 1, memory_order_seq_cst);
        }
    }
    if (hungry) {
        uint32_t threads = atomic_fetch_sub_explicit(&lock->hungry, 1, memory_order_seq_cst);
        fl_assert(threads > 0);
    }
}

void fl_lock_acquire_slow(struct fl_lock *lock, unsigned me, struct fl_wait_policy policy) {
    uint32_t state;
    if (take(lock, me, false, false, &state)) {
        return;
    }
    check_use_here(lock, me, state);
    for (uint32_t i = 0; i < policy.spins; i++) {
        recall(lock, state, i);
        fl_os_relax();
        fl_wait_poll();
        if (take(lock, me, false, false, &state)) {
            return;
        }
    }
    for (uint32_t i = 0; i < policy.yields; i++) {
        fl_os_yield();
        recall(lock, state, i);
        fl_wait_poll();
        if (take(lock, me, false, false, &state)) {
            return;
        }
    }
    fl_wait_begin_lock(lock);
    fl_wait_note_time();
    fl_wait_rest();
    acquire_asleep(lock, me);
    fl_wait_end();
}

/* Whether a thread has the lock, or a process keeps it. */
static bool is_held(uint32_t state) {
    return fl_lock_holder(state) != FL_LOCK_FREE && fl_lock_holder(state) <= FL_LOCK_AWAY;
}

/* Passes a held lock on; true if to the first in the keeper's queue. */
static bool pass_on(struct fl_lock *lock) {
    bool turn = lock->turn;
    uint32_t next;
    bool hungry;
    uint32_t state = atomic_load_explicit(&lock->state, memory_order_relaxed);
    do {
        /* [L5] pairs [L4]: a hungry thread that is missed here is awake and looks again. */
        hungry = atomic_load_explicit(&lock->hungry, memory_order_seq_cst) > 0;
        if (state & FL_LOCK_QUEUED && !(hungry && turn)) {
            next = FL_LOCK_HANDED | (state & (FL_LOCK_QUEUED | FL_WAIT_SLEEPING));
        } else if (hungry) {
            next = FL_LOCK_RESERVED | (state & FL_LOCK_QUEUED) | FL_WAIT_SLEEPING;
        } else {
            next = FL_LOCK_FREE;
        }
        fl_assert(is_held(state));
        lock->turn = fl_lock_holder(next) == FL_LOCK_HANDED;
        /* [L2] pairs [L1], [L3]. */
    } while (!atomic_compare_exchange_weak_explicit(&lock->state, &state, next,
                                                    memory_order_seq_cst, memory_order_relaxed));
    if (fl_lock_holder(next) != FL_LOCK_HANDED) {
        /* One suffices even if reserved: a thread that was asleep is hungry when it tries again. */
        fl_os_futex_wake(&lock->state, 1);
        return false;
    }
    if (next & FL_WAIT_SLEEPING && !hungry) {
        /* So that a thread of this host becomes hungry, and gets its turn. */
        fl_os_futex_wake(&lock->state, 1);
    }
    return true;
}

static void check_release(const struct fl_lock *lock, unsigned me, struct fl_refusal *refusal) {
    /* Relaxed: no other thread changes it while `me` is the owner; else only for the message. */
    uint32_t state = atomic_load_explicit(&lock->state, memory_order_relaxed);
    if (lock->magic == MAGIC && fl_lock_holder(state) == fl_lock_owned(me)) {
        return;
    }
    if (lock->magic != MAGIC) {
        fl_refuse(refusal, "%s unlocks the lock at %p, which is not a lock, or was freed", fl_lock_name_of(me).text,
                  (const void *)lock);
    } else if (fl_lock_holder(state) == FL_LOCK_AWAY) {
        fl_refuse(refusal, "%s unlocks the lock at %p, which it does not hold",
                  fl_lock_name_of(me).text, (const void *)lock);
    } else if (state == FL_LOCK_FREE || fl_lock_holder(state) >= FL_LOCK_RESERVED) {
        fl_refuse(refusal, "%s unlocks the lock at %p, which nobody holds", fl_lock_name_of(me).text,
                  (const void *)lock);
    } else {
        fl_refuse(refusal, "%s unlocks the lock at %p, which %s holds", fl_lock_name_of(me).text,
                  (const void *)lock, fl_lock_name_of((state >> FL_LOCK_BITS) - 1).text);
    }
}

void fl_lock_release_slow(struct fl_lock *lock, unsigned me) {
    struct fl_refusal refusal = {0};
    check_release(lock, me, &refusal);
    if (refusal.refused) {
        fl_fatal(FL_CODE_LOCK_MISUSE, "%s", refusal.text);
    }
    if (pass_on(lock)) {
        fl_lock_hand_over(lock);
    }
}

/* ---- for threads of other hosts ---- */

bool fl_lock_take_for(struct fl_lock *lock, unsigned thread, bool queue, bool keep,
                      struct fl_refusal *refusal) {
    uint32_t taken = keep ? FL_LOCK_AWAY : fl_lock_owned(thread);
    /* Relaxed: only a hint for the exchange. */
    uint32_t state = atomic_load_explicit(&lock->state, memory_order_relaxed);
    for (;;) {
        uint32_t next = state == FL_LOCK_FREE ? taken : state | FL_LOCK_QUEUED;
        if (state != FL_LOCK_FREE) {
            check_use(lock, thread, state, refusal);
            if (refusal->refused || !queue || next == state) {
                return false;
            }
        }
        /* [L3] pairs [L2]; if it queues, the next release sees the bit. */
        if (atomic_compare_exchange_weak_explicit(&lock->state, &state, next, memory_order_seq_cst,
                                                  memory_order_relaxed)) {
            return state == FL_LOCK_FREE;
        }
    }
}

bool fl_lock_release_for(struct fl_lock *lock, unsigned thread, struct fl_refusal *refusal) {
    check_release(lock, thread, refusal);
    if (refusal->refused) {
        return false;
    }
    return pass_on(lock);
}

bool fl_lock_come_back(struct fl_lock *lock) {
    /* Relaxed: no other thread changes the holder while the lock is away. */
    uint32_t state = atomic_load_explicit(&lock->state, memory_order_relaxed);
    return lock->magic == MAGIC && fl_lock_holder(state) == FL_LOCK_AWAY && pass_on(lock);
}

bool fl_lock_grant(struct fl_lock *lock, unsigned thread, bool more) {
    uint32_t mine = fl_lock_owned(thread) | (more ? FL_LOCK_QUEUED : 0);
    /* Relaxed: only a hint for the exchange. */
    uint32_t state = atomic_load_explicit(&lock->state, memory_order_relaxed);
    while (fl_lock_holder(state) == FL_LOCK_HANDED) {
        /* [L3] pairs [L2]. Keeps the bit: others may sleep. */
        if (atomic_compare_exchange_weak_explicit(&lock->state, &state,
                                                  mine | (state & FL_WAIT_SLEEPING),
                                                  memory_order_seq_cst, memory_order_relaxed)) {
            return true;
        }
    }
    return false;
}
