/* SPDX-License-Identifier: BSD-3-Clause */
/* See lock.h. */
#include "omp/lock.h"

#include "omp/recorder.h"
#include "omp/team.h"
#include "omp/watch.h"

enum { MOST_PAUSES = 8 };

static bool try_when_free(_Atomic uint32_t *lock) {
    /* Relaxed: a hint, so that waiting threads do not take the cache line from each other. */
    return atomic_load_explicit(lock, memory_order_relaxed) == FL_OMP_FREE && fl_omp_lock_try(lock);
}

bool fl_omp_lock_try_far(_Atomic uint32_t *lock) {
    return fl_omp_far_try_lock((const void *)lock);
}

void fl_omp_unlock_far(_Atomic uint32_t *lock) {
    fl_omp_far_unlock((const void *)lock);
}

static void wait_for_lock(_Atomic uint32_t *lock, const char *what) {
    if (fl_omp_spread()) {
        fl_omp_wait_begin(what, fl_omp_self()->number);
        fl_omp_far_lock((const void *)lock);
        fl_omp_wait_end();
        return;
    }
    struct fl_wait_policy policy = fl_omp_self()->team->policy;
    for (uint32_t i = 0, pauses = 1; i < policy.spins; i += pauses) {
        if (try_when_free(lock)) {
            return;
        }
        /* Exponential back-off, up to MOST_PAUSES: meanwhile the holder may take the lock again,
         * which costs little as long as no other thread reads it. */
        pauses = pauses < MOST_PAUSES ? 2 * pauses : pauses;
        for (uint32_t k = 0; k < pauses; k++) {
            fl_os_relax();
        }
    }
    for (uint32_t i = 0; i < policy.yields && fl_wait_yield(); i++) {
        if (try_when_free(lock)) {
            return;
        }
    }
    fl_omp_wait_begin(what, fl_omp_self()->number);
    /* [L3] pairs [L2]. From here the lock counts as slept for: one needless wake at most. */
    while (atomic_exchange_explicit(lock, FL_OMP_SLEPT_FOR, memory_order_acquire) != FL_OMP_FREE) {
        fl_wait_sleep(lock, FL_OMP_SLEPT_FOR);
    }
    fl_omp_wait_end();
}

void fl_omp_lock_slow(_Atomic uint32_t *lock, const char *what) {
    uint64_t since = fl_omp_record_begin();
    wait_for_lock(lock, what);
    fl_omp_record_end(since, "lock", what, fl_omp_me->index, (uint64_t)lock);
}
