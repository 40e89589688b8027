/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of detached tasks, which threads of any host may fulfil. OpenMP 5.1 §3.11. */
#include "omp/far.h"
#include "omp/migrate.h"

/* A handle is the task's address, with the number of the task's host in the bits above: in
 * addresses of programs these are 0. */
enum { HOST_BITS = 48 };

void *fl_omp_event_of(struct fl_omp_task *task) {
    uint64_t host = fl_omp_spread() ? fl_omp_far.me : 0;
    return (void *)((uintptr_t)task | host << HOST_BITS);
}

FL_OMP_API void omp_fulfill_event(void *event) {
    uint64_t host = (uintptr_t)event >> HOST_BITS;
    struct fl_omp_task *task = (void *)((uintptr_t)event & (((uint64_t)1 << HOST_BITS) - 1));
    if (FL_UNLIKELY(fl_omp_spread() && host != fl_omp_far.me)) {
        fl_omp_migrate_fulfill((unsigned)host, task);
        return;
    }
    struct fl_omp_member *waiter = task->deferred ? NULL : task->member;
    if (waiter) {
        fl_omp_team_hold(waiter->team);
    }
    /* [F1]. Before the ring. */
    if (atomic_fetch_sub_explicit(&task->holds, 1, memory_order_seq_cst) == 1) {
        struct fl_omp_member *me = fl_omp_me;
        fl_omp_task_complete(me->team == task->member->team ? me : NULL, task);
    } else if (waiter) {
        fl_wait_ring(&waiter->tasks.bell);
    }
    if (waiter) {
        fl_omp_team_release(waiter->team);
    }
}

FL_OMP_API void omp_fulfill_event_(void *event) { /* `value` in Fortran, too */
    omp_fulfill_event(event);
}
