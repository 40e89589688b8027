/* SPDX-License-Identifier: BSD-3-Clause */
/* See bias.h. */
#include "check/bias.h"

#include "platform/machine.h"
#include "platform/os.h"

/* Batches and locks are short; but a thread that has one may have lost its CPU. */
enum { POLLS = 100 };
static void wait_a_moment(unsigned *polls) {
    if (++*polls < POLLS) {
        fl_os_relax();
    } else {
        fl_os_yield();
    }
}

static void await_batch_of(unsigned thread) {
    struct check_batch *batch = check_batch_of(thread);
    unsigned polls = 0;
    /* [B4] pairs [B1], [B3]: and the owner's stores are there. */
    uint32_t began = atomic_load_explicit(&batch->number, memory_order_seq_cst);
    while (began % 2 == 1 &&
           /* [B4] pairs [B3]. */
           atomic_load_explicit(&batch->number, memory_order_acquire) == began) {
        wait_a_moment(&polls);
    }
}

static bool change(_Atomic uint16_t *bias, uint16_t from, uint16_t to) {
    /* [B5] pairs [B2], [L1]: and what the last one to have the line stored is there. */
    return atomic_compare_exchange_strong_explicit(bias, &from, to, memory_order_seq_cst,
                                                   memory_order_relaxed);
}

static bool lock(_Atomic uint16_t *bias) {
    /* Relaxed: a hint. */
    uint16_t now = atomic_load_explicit(bias, memory_order_relaxed);
    if (now == 0 || now == CHECK_LOCKED || !change(bias, now, CHECK_LOCKED)) {
        return false;
    }
    if (now != CHECK_SHARED) {
        await_batch_of(now - 1u);
    }
    return true;
}

bool check_line_take(_Atomic uint16_t *bias) {
    for (unsigned polls = 0;; wait_a_moment(&polls)) {
        /* Relaxed: a hint. */
        if (atomic_load_explicit(bias, memory_order_relaxed) == 0) {
            check_batch_begin();
            if (change(bias, 0, (uint16_t)(check_self.me + 1))) {
                return true;
            }
        }
        /* The one that has the line may wait for this thread's batch. */
        check_batch_end();
        if (lock(bias)) {
            return false;
        }
    }
}
