/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cancellation. The team has what is cancelled until the barrier at the construct's end, or the end
 * of the region; cancellation of taskgroups is in taskgroup.c. OpenMP 5.1 §2.20.
 */
#include "omp/barrier.h"
#include "omp/hosts.h"
#include "omp/program.h"

FL_OMP_API bool GOMP_cancellation_point(int which) {
    if (FL_LIKELY(!fl_omp_program.cancellation)) {
        return false;
    }
    struct fl_omp_member *me = fl_omp_self();
    /* Relaxed: that it is seen late is no harm. */
    uint32_t cancelled = atomic_load_explicit(&me->team->cancelled, memory_order_relaxed);
    if (which & FL_OMP_CANCEL_TASKGROUP) {
        return fl_omp_taskgroup_cancelled(me) || (cancelled & FL_OMP_CANCEL_PARALLEL);
    }
    return cancelled & ((uint32_t)which | FL_OMP_CANCEL_PARALLEL);
}

FL_OMP_API bool GOMP_cancel(int which, bool really) {
    if (!really || !fl_omp_program.cancellation) {
        return GOMP_cancellation_point(which);
    }
    struct fl_omp_member *me = fl_omp_self();
    if (which & FL_OMP_CANCEL_TASKGROUP) {
        fl_omp_taskgroup_cancel(me);
        return true;
    }
    /* [C1] pairs [C2]: the ring sees a member asleep at a barrier, or that member sees this. */
    atomic_fetch_or_explicit(&me->team->cancelled, (uint32_t)which, memory_order_seq_cst);
    fl_omp_ring(me->team);
    if (FL_UNLIKELY(me->team->far)) {
        fl_omp_hosts_cancel((uint32_t)which);
    }
    return true;
}
