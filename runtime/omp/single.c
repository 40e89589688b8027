/* SPDX-License-Identifier: BSD-3-Clause */
/* single, copyprivate, barrier. OpenMP 5.1 §2.10.2, §2.22.4.2, §2.19.2. */
#include "core/assert.h"
#include "omp/barrier.h"
#include "omp/spans.h"

/* Whether the member is the first at its next `single`. All members meet the same ones in the same
 * order, so a count of the executed ones suffices. */
static bool first_here(struct fl_omp_member *me) {
    uint64_t number = me->singles++;
    _Atomic uint64_t *taken = &me->team->singles;
    /* Relaxed, twice: the barrier of `single` orders accesses, not its start. */
    uint64_t now = atomic_load_explicit(taken, memory_order_relaxed);
    fl_assert(now >= number); /* the member has seen those before taken */
    return now == number &&
           atomic_compare_exchange_strong_explicit(taken, &number, number + 1, memory_order_relaxed,
                                                   memory_order_relaxed);
}

/* Whether the first member of a host is the first of all hosts. */
static bool first_of_hosts(const struct fl_omp_member *me) {
    struct fl_omp_far_take one = {fl_omp_span_number(me), 1, 1, 1};
    uint64_t from, n;
    return fl_omp_far_take(&one, &from, &n);
}

FL_OMP_API bool GOMP_single_start(void) {
    struct fl_omp_member *me = fl_omp_self();
    return first_here(me) && (FL_LIKELY(!me->team->far) || first_of_hosts(me));
}

/* Null: the caller executes the block, and passes the address of its values to
 * GOMP_single_copy_end. */
FL_OMP_API void *GOMP_single_copy_start(void) {
    struct fl_omp_member *me = fl_omp_self();
    if (first_here(me)) {
        if (FL_LIKELY(!me->team->far) || first_of_hosts(me)) {
            return NULL;
        }
        me->team->copied = (void *)fl_omp_far_await(fl_omp_span_number(me), 0, 1);
    }
    fl_omp_barrier(me);
    return me->team->copied;
}

FL_OMP_API void GOMP_single_copy_end(void *data) {
    struct fl_omp_member *me = fl_omp_self();
    me->team->copied = data;
    if (FL_UNLIKELY(me->team->far)) {
        fl_omp_far_post(fl_omp_span_number(me), 0, (uint64_t)(uintptr_t)data);
    }
    fl_omp_barrier(me);
}

FL_OMP_API void GOMP_barrier(void) {
    fl_omp_barrier(fl_omp_self());
}

FL_OMP_API bool GOMP_barrier_cancel(void) {
    return fl_omp_barrier_cancel(fl_omp_self());
}
