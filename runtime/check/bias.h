/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread that records accesses has the line's shadow for itself. A line that one thread alone has
 * accessed is biased to it: the thread needs one atomic operation for a batch of records. When
 * another thread comes, it takes the bias away, after the owner's batch has ended, and from then on
 * the line has a lock. As in D. Dice, M. Moir and W. Scherer, "Quickly reacquirable locks" (2003),
 * and M. Bond and others, "OCTET: capturing and controlling cross-thread dependences efficiently"
 * (OOPSLA 2013).
 *
 * A thread in a batch, or with a lock, waits for no other thread, and has one lock at most.
 * tests/litmus/bias.pml is this protocol's model.
 */
#ifndef FL_CHECK_BIAS_H
#define FL_CHECK_BIAS_H

#include "check/shadow.h"

/* Of a line: 0, the number of the owner and 1, or one of these. */
enum {
    CHECK_LOCKED = UINT16_MAX - 1,
    CHECK_SHARED = UINT16_MAX,
};
_Static_assert(CHECK_MAX_THREADS < (int)CHECK_LOCKED, "every thread has a number");

/* Of a thread: whether it is in a batch. */
struct check_batch {
    _Alignas(64) _Atomic uint32_t number; /* odd: inside */
};

/* As check_line_enter, where the calling thread is not known to be the owner. */
FL_COLD bool check_line_take(_Atomic uint16_t *bias);

static inline struct check_batch *check_batch_of(unsigned thread) {
    return &check_memory.batches[thread];
}

static inline void check_batch_begin(void) {
    struct check_batch *batch = check_batch_of(check_self.me);
    /* Relaxed: only the thread itself writes the number. */
    uint32_t number = atomic_load_explicit(&batch->number, memory_order_relaxed);
    if (number % 2 == 0) {
        /* [B1] pairs [B4]: else the thread does not see that its bias is taken away, and the one
         * that takes it sees no batch. */
        atomic_exchange_explicit(&batch->number, number + 1, memory_order_seq_cst);
    }
}

static inline void check_batch_end(void) {
    struct check_batch *batch = check_batch_of(check_self.me);
    /* Relaxed: as above. */
    uint32_t number = atomic_load_explicit(&batch->number, memory_order_relaxed);
    if (number % 2 == 1) {
        /* [B3] pairs [B4]: what the batch stored is there before another thread stores. */
        atomic_store_explicit(&batch->number, number + 1, memory_order_release);
    }
}

/* Waits until the line's shadow is the calling thread's. True: until its batch ends. False: it is
 * in no batch, and has locked the line. */
static inline bool check_line_enter(_Atomic uint16_t *bias) {
    /* Relaxed: a hint. */
    if (atomic_load_explicit(bias, memory_order_relaxed) == CHECK_SHARED) {
        return check_line_take(bias);
    }
    check_batch_begin();
    /* [B2] pairs [B5]: as [B1]. */
    return FL_LIKELY(atomic_load_explicit(bias, memory_order_seq_cst) == check_self.me + 1) ||
           check_line_take(bias);
}

static inline void check_line_unlock(_Atomic uint16_t *bias) {
    /* [L1] pairs [B5]: what has been stored is there before another thread stores. */
    atomic_store_explicit(bias, CHECK_SHARED, memory_order_release);
}

#endif
