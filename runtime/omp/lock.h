/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks of the program: critical regions, omp_lock_t. A word of zeros is a free lock. A thread
 * spins and yields for as long as its team's policy says. U. Drepper, "Futexes are tricky", third
 * mutex.
 */
#ifndef FL_OMP_LOCK_H
#define FL_OMP_LOCK_H

#include "omp/spans.h"

enum { FL_OMP_FREE = 0, FL_OMP_HELD = 1, FL_OMP_SLEPT_FOR = 2 };

/* Over several hosts: the word's address names the lock, and nothing is written to the word. */
FL_COLD bool fl_omp_lock_try_far(_Atomic uint32_t *lock);
FL_COLD void fl_omp_unlock_far(_Atomic uint32_t *lock);

FL_COLD void fl_omp_lock_slow(_Atomic uint32_t *lock, const char *what);

static inline bool fl_omp_lock_try(_Atomic uint32_t *lock) {
    uint32_t expected = FL_OMP_FREE;
    if (fl_omp_spread()) {
        return fl_omp_lock_try_far(lock);
    }
    /* [L1] pairs [L2]: sees what the last holder wrote. */
    return atomic_compare_exchange_strong_explicit(lock, &expected, FL_OMP_HELD,
                                                   memory_order_acquire, memory_order_relaxed);
}

/* `what`: the program's name for the lock, in messages. */
static inline void fl_omp_lock(_Atomic uint32_t *lock, const char *what) {
    if (fl_omp_spread() || !fl_omp_lock_try(lock)) {
        fl_omp_lock_slow(lock, what);
    }
}

static inline void fl_omp_unlock(_Atomic uint32_t *lock) {
    if (fl_omp_spread()) {
        fl_omp_unlock_far(lock);
        return;
    }
    /* [L2] pairs [L1], [L3]: publishes what this holder wrote. */
    if (FL_UNLIKELY(atomic_exchange_explicit(lock, FL_OMP_FREE, memory_order_release) ==
                    FL_OMP_SLEPT_FOR)) {
        fl_os_futex_wake(lock, 1);
    }
}

#endif
