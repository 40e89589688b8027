/* SPDX-License-Identifier: BSD-3-Clause */
/* See mutex.h. */
#include "core/mutex.h"

enum { SPINS = 100 };

void fl_mutex_lock_slow(struct fl_mutex *mutex) {
    for (int i = 0; i < SPINS; i++) {
        uint32_t expected = 0;
        /* Relaxed: only a hint whether the exchange below is worth trying. */
        if (atomic_load_explicit(&mutex->state, memory_order_relaxed) == 0 &&
            /* [M3] pairs [M2]. */
            atomic_compare_exchange_weak_explicit(&mutex->state, &expected, 1, memory_order_acquire,
                                                  memory_order_relaxed)) {
            return;
        }
        fl_os_relax();
    }
    /* [M3] pairs [M2]. From here the state is 2 even if no other thread sleeps: one needless
     * wake. */
    while (atomic_exchange_explicit(&mutex->state, 2, memory_order_acquire) != 0) {
        fl_os_futex_wait(&mutex->state, 2);
    }
}
