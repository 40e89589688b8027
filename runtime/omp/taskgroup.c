/* SPDX-License-Identifier: BSD-3-Clause */
/* Taskgroups: the wait for their tasks, and their cancellation. OpenMP 5.1 §2.19.6. */
#include "core/assert.h"
#include "core/fatal.h"
#include "omp/migrate.h"

#include <stdlib.h>

static bool group_ended(void *context) {
    struct fl_omp_group *group = context;
    return group->count.here +
               atomic_load_explicit(&group->count.elsewhere, memory_order_seq_cst) == /* [N3] */
           0;
}

void fl_omp_group_begin(struct fl_omp_member *me, struct fl_omp_group *group) {
    *group = (struct fl_omp_group){
        .outer = me->task->group,
        .count = {.owner = me},
        .outer_reductions = me->task->reductions,
    };
    me->task->group = group;
}

void fl_omp_group_end(struct fl_omp_member *me, struct fl_omp_group *group) {
    if (!group_ended(group)) {
        fl_omp_task_wait(me, group_ended, group);
    }
    fl_assert(me->task->group == group && group->count.owner == me);
    me->task->group = group->outer;
    me->task->reductions = group->outer_reductions;
}

void fl_omp_taskgroup_cancel(struct fl_omp_member *me) {
    struct fl_omp_group *group = me->task->group;
    if (group) {
        /* Relaxed: as its readers. */
        atomic_store_explicit(&group->cancelled, true, memory_order_relaxed);
    }
    if (FL_UNLIKELY(group && group->count.owner == &fl_omp_away)) {
        fl_omp_migrate_group_cancel(group);
    }
}

FL_OMP_API void GOMP_taskgroup_start(void) {
    struct fl_omp_group *group = FL_ALLOCATED(malloc(sizeof *group), "a taskgroup");
    fl_omp_group_begin(fl_omp_self(), group);
}

FL_OMP_API void GOMP_taskgroup_end(void) {
    struct fl_omp_member *me = fl_omp_self();
    struct fl_omp_group *group = me->task->group;
    fl_omp_group_end(me, group);
    free(group);
}
