/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The work-stealing deque of a member's ready tasks: the owner puts and takes at the bottom,
 * thieves steal at the top. D. Chase, Y. Lev, SPAA 2005, with the orderings of N. M. Lê et al.,
 * PPoPP 2013, but with sequentially consistent accesses in the place of fences. It does not grow: a
 * member that finds it full executes the new task at once.
 *
 * Numbers of places only grow. While a member executes a task, the tasks that it and its
 * descendants have made are in the places from the bottom as it was when the task began; below are
 * other tasks. tests/litmus/deque.pml is the model.
 */
#ifndef FL_OMP_DEQUE_H
#define FL_OMP_DEQUE_H

#include "core/assert.h"
#include "core/status.h"
#include "platform/os.h"

struct fl_omp_task;

enum { FL_OMP_DEQUE_SLOTS = 256 };

struct fl_omp_deque {
    _Alignas(FL_CACHE_LINE) _Atomic int64_t top; /* the next to be stolen */
    _Alignas(FL_CACHE_LINE) _Atomic int64_t bottom; /* the next free place */
    int64_t seen;                                 /* `top` as the owner last read it */
    _Alignas(FL_CACHE_LINE) _Atomic(struct fl_omp_task *) slots[FL_OMP_DEQUE_SLOTS];
};

static inline _Atomic(struct fl_omp_task *) *fl_omp_deque_slot(struct fl_omp_deque *deque,
                                                               int64_t place) {
    return &deque->slots[place & (FL_OMP_DEQUE_SLOTS - 1)];
}

/* For the owner. Relaxed: only the owner writes it. */
static inline int64_t fl_omp_deque_bottom(struct fl_omp_deque *deque) {
    return atomic_load_explicit(&deque->bottom, memory_order_relaxed);
}

/* Owner: whether the deque holds fewer than `limit` tasks. */
static inline bool fl_omp_deque_has_room(struct fl_omp_deque *deque, int64_t limit) {
    int64_t bottom = fl_omp_deque_bottom(deque);
    if (FL_LIKELY(bottom - deque->seen < limit)) {
        return true;
    }
    /* [T1] pairs [T4]: the thief has read the slot that will be written again. */
    deque->seen = atomic_load_explicit(&deque->top, memory_order_acquire);
    fl_assert(deque->seen <= bottom);
    return bottom - deque->seen < limit;
}

/* Owner; the deque has room. */
static inline void fl_omp_deque_put(struct fl_omp_deque *deque, struct fl_omp_task *task) {
    int64_t bottom = fl_omp_deque_bottom(deque);
    fl_assert(bottom - deque->seen < FL_OMP_DEQUE_SLOTS);
    /* Relaxed: `bottom` publishes it. */
    atomic_store_explicit(fl_omp_deque_slot(deque, bottom), task, memory_order_relaxed);
    /* [T2] pairs [T5], [T7]: else a thief sees a task that is not written yet. */
    atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_release);
}

/* Owner: the youngest task, from place `floor` on. Null: there is none. */
static inline struct fl_omp_task *fl_omp_deque_take(struct fl_omp_deque *deque, int64_t floor) {
    int64_t bottom = fl_omp_deque_bottom(deque) - 1;
    /* Relaxed: the top only grows, so even an old value shows only stolen tasks as stolen. */
    if (bottom < floor || bottom < atomic_load_explicit(&deque->top, memory_order_relaxed)) {
        return NULL;
    }
    /* [T3] pairs [T5]: either the thief sees that this place is being taken, or the owner sees the
     * thief at it. Otherwise both would have the task. */
    atomic_store_explicit(&deque->bottom, bottom, memory_order_seq_cst);
    int64_t top = atomic_load_explicit(&deque->top, memory_order_seq_cst);
    fl_assert(top <= bottom + 1);
    if (FL_LIKELY(top < bottom)) {
        return atomic_load_explicit(fl_omp_deque_slot(deque, bottom), memory_order_relaxed);
    }
    struct fl_omp_task *task = NULL;
    if (top == bottom) {
        task = atomic_load_explicit(fl_omp_deque_slot(deque, bottom), memory_order_relaxed);
        /* [T6] pairs [T4]: the thread that moves the top has the last task. */
        if (!atomic_compare_exchange_strong_explicit(&deque->top, &top, top + 1,
                                                     memory_order_seq_cst, memory_order_relaxed)) {
            task = NULL;
        }
    }
    /* Relaxed: there is nothing that it would publish. */
    atomic_store_explicit(&deque->bottom, bottom + 1, memory_order_relaxed);
    return task;
}

/* Whether a thief may have the task. If another thread takes the task first, its block may already
 * be another task's, and any field may be read; the answer does not matter then. */
typedef bool fl_omp_deque_filter(const struct fl_omp_task *task, const void *context);

/* Any thread: the oldest task, if the filter (null: none) accepts it. Null: the deque is empty, the
 * filter refuses, or another thread was faster. */
static inline struct fl_omp_task *fl_omp_deque_steal(struct fl_omp_deque *deque,
                                                     fl_omp_deque_filter *filter,
                                                     const void *context) {
    /* [T5] pairs [T2], [T3], in this order. */
    int64_t top = atomic_load_explicit(&deque->top, memory_order_seq_cst);
    if (top >= atomic_load_explicit(&deque->bottom, memory_order_seq_cst)) {
        return NULL;
    }
    /* Relaxed: [T5] has seen it published, unless another thread has taken it already. */
    struct fl_omp_task *task =
        atomic_load_explicit(fl_omp_deque_slot(deque, top), memory_order_relaxed);
    if (filter && !filter(task, context)) {
        return NULL;
    }
    /* [T4] pairs [T1], [T6]: exactly one thread gets the task. */
    return atomic_compare_exchange_strong_explicit(&deque->top, &top, top + 1,
                                                   memory_order_seq_cst, memory_order_relaxed)
               ? task
               : NULL;
}

#endif
