/* SPDX-License-Identifier: BSD-3-Clause */
/* See lock.h. */
#include "sync/lock.h"

#include "core/fatal.h"

#define MAGIC 0x6b636f6cu
#define POISON 0xfffffffau /* in the state of a freed lock: no thread's, and nobody sleeps */

void fl_lock_init(struct fl_lock *lock) {
    lock->magic = MAGIC;
    /* Relaxed: whoever learns of the lock does so through something that orders. */
    atomic_store_explicit(&lock->hungry, 0, memory_order_relaxed);
    atomic_store_explicit(&lock->state, FL_LOCK_FREE, memory_order_relaxed);
}

void fl_lock_destroy(struct fl_lock *lock) {
    if (lock->magic != MAGIC) {
        fl_fatal(FL_CODE_LOCK_MISUSE, "upc_lock_free: %p is not a lock, or was freed before",
                 (void *)lock);
    }
    lock->magic = 0;
    /* Relaxed: using the lock from here on is an error whose detection is best effort. */
    atomic_store_explicit(&lock->state, POISON, memory_order_relaxed);
}

static void check_use(const struct fl_lock *lock, unsigned me, uint32_t state) {
    if (lock->magic != MAGIC) {
        fl_fatal(FL_CODE_LOCK_MISUSE,
                 "thread %u uses the lock at %p, which is not a lock, or was "
                 "freed",
                 me, (const void *)lock);
    }
    if (state >> 1 == me + 1) {
        fl_fatal(FL_CODE_LOCK_MISUSE,
                 "thread %u locks the lock at %p, which it holds already; locks are not recursive",
                 me, (const void *)lock);
    }
}

bool fl_lock_try_failed(struct fl_lock *lock, unsigned me, uint32_t state) {
    check_use(lock, me, state);
    return false;
}

/* Takes the lock if it can be had. Otherwise *state_p is a state in which this thread may sleep: a
 * failed exchange can show a lock that is free or reserved by now, and whoever slept on that would
 * sleep for ever. `sleeping` is kept in the word if others may still sleep. */
static bool take(struct fl_lock *lock, unsigned me, bool sleeping, bool hungry, uint32_t *state_p) {
    uint32_t mine = (me + 1) << 1 | (uint32_t)sleeping;
    /* Relaxed: only a hint for the exchange. */
    *state_p = atomic_load_explicit(&lock->state, memory_order_relaxed);
    while (*state_p == FL_LOCK_FREE || (hungry && *state_p == FL_LOCK_RESERVED)) {
        /* [L3] pairs [L2]. */
        if (atomic_compare_exchange_strong_explicit(&lock->state, state_p, mine,
                                                    memory_order_seq_cst, memory_order_relaxed)) {
            return true;
        }
    }
    return false;
}

/* Sleeps while somebody holds the lock. */
static void sleep_while_held(struct fl_lock *lock, uint32_t state) {
    uint32_t marked = state | FL_WAIT_SLEEPING;
    /* Relaxed: as in wait.h, the exchange in release and this one cannot both miss the other. */
    if (state == marked ||
        atomic_compare_exchange_strong_explicit(&lock->state, &state, marked, memory_order_relaxed,
                                                memory_order_relaxed)) {
        fl_os_futex_wait(&lock->state, marked);
    }
}

void fl_lock_acquire_slow(struct fl_lock *lock, unsigned me, struct fl_wait_policy policy) {
    uint32_t state;
    if (take(lock, me, false, false, &state)) {
        return;
    }
    check_use(lock, me, state);
    for (uint32_t i = 0; i < policy.spins; i++) {
        fl_os_relax();
        if (take(lock, me, false, false, &state)) {
            return;
        }
    }
    for (uint32_t i = 0; i < policy.yields; i++) {
        fl_os_yield();
        if (take(lock, me, false, false, &state)) {
            return;
        }
    }
    fl_wait_begin("upc_lock", NULL, 0);
    fl_wait_note_time();
    bool hungry = false;
    while (!take(lock, me, true, hungry, &state)) {
        sleep_while_held(lock, state);
        if (!hungry) {
            hungry = true;
            /* [L4] pairs [L5]. */
            atomic_fetch_add_explicit(&lock->hungry, 1, memory_order_seq_cst);
        }
    }
    fl_wait_end();
    if (hungry) {
        atomic_fetch_sub_explicit(&lock->hungry, 1, memory_order_seq_cst);
    }
}

void fl_lock_release_slow(struct fl_lock *lock, unsigned me, uint32_t state) {
    if (lock->magic != MAGIC || state >> 1 != me + 1) {
        fl_fatal(FL_CODE_LOCK_MISUSE, "thread %u unlocks the lock at %p, which %s", me,
                 (void *)lock,
                 lock->magic != MAGIC    ? "is not a lock, or was freed"
                 : state == FL_LOCK_FREE ? "nobody holds"
                                         : "another thread holds");
    }
    /* [L5] pairs [L4]: a hungry thread that is missed here is awake and looks again. */
    bool reserve = atomic_load_explicit(&lock->hungry, memory_order_seq_cst) > 0;
    /* [L2] pairs [L1], [L3]. */
    atomic_exchange_explicit(&lock->state, reserve ? FL_LOCK_RESERVED : FL_LOCK_FREE,
                             memory_order_seq_cst);
    /* One suffices even if reserved, because whoever was asleep is hungry when it looks again. */
    fl_os_futex_wake(&lock->state, 1);
}
