/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The runtime's own mutex, for short critical sections on shared metadata. Lives in shared memory
 * or not; zero bytes are an unlocked mutex. Not for user-visible locks (sync/lock.h).
 * U. Drepper, "Futexes are tricky", third mutex.
 */
#ifndef FL_CORE_MUTEX_H
#define FL_CORE_MUTEX_H

#include "core/status.h"
#include "platform/os.h"

struct fl_mutex {
    _Atomic uint32_t state; /* 0 free, 1 held, 2 held and a thread may sleep */
};

FL_COLD void fl_mutex_lock_slow(struct fl_mutex *mutex);

/* Where simulated threads take turns: before a mutex is taken, which is null here, and after it has
 * been left. See core/scheduler_for_test.h. */
#ifdef FURLONG_SIMULATED
void fl_mutex_point(const struct fl_mutex *left);
#else
static inline void fl_mutex_point(const struct fl_mutex *left) {
    (void)left;
}
#endif

static inline bool fl_mutex_try(struct fl_mutex *mutex) {
    uint32_t expected = 0;
    /* Relaxed: only a hint, so that threads that try do not take the line from each other. */
    return atomic_load_explicit(&mutex->state, memory_order_relaxed) == 0 &&
           /* [M4] pairs [M2]: as [M1]. */
           atomic_compare_exchange_strong_explicit(&mutex->state, &expected, 1,
                                                   memory_order_acquire, memory_order_relaxed);
}

static inline void fl_mutex_lock(struct fl_mutex *mutex) {
    fl_mutex_point(NULL);
    uint32_t expected = 0;
    /* [M1] pairs [M2]: sees what the last holder wrote. */
    if (!atomic_compare_exchange_strong_explicit(&mutex->state, &expected, 1, memory_order_acquire,
                                                 memory_order_relaxed)) {
        fl_mutex_lock_slow(mutex);
    }
}

static inline void fl_mutex_unlock(struct fl_mutex *mutex) {
    /* [M2] pairs [M1], [M3], [M4]: publishes what this holder wrote. */
    if (atomic_exchange_explicit(&mutex->state, 0, memory_order_release) == 2) {
        fl_os_futex_wake(&mutex->state, 1);
    }
    fl_mutex_point(mutex);
}

#endif
