/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The seam between teams and tasks. Each member executes an implicit task; explicit ones are made
 * by task.c. Internal control variables belong to tasks. OpenMP 5.1 §2.4, §2.12.
 */
#ifndef FL_OMP_TASK_H
#define FL_OMP_TASK_H

#include "core/status.h"
#include "omp/icv.h"

#include <stdatomic.h>
#include <stddef.h>

struct fl_omp_member;
struct fl_omp_team;

struct fl_omp_task {
    struct fl_omp_icvs icvs;
    struct fl_omp_task *parent; /* null: an implicit task */
    bool final;
    void *more; /* of task.c: null at the start of an implicit task, and at its end */
};

/* Executes a task of the member's team that is ready, if there is one and the member may. Whoever
 * waits calls this; also a worker between two regions, to whom the next one's tasks, made when
 * team->state no longer is what me->state is, are taboo. */
bool fl_omp_task_run(struct fl_omp_member *me);

/* The member's implicit task ends, or a cancelled region does: what belonged to it goes. */
void fl_omp_task_implicit_end(struct fl_omp_member *me);

/* The taskgroup that the member's task is in, if any. */
void fl_omp_taskgroup_cancel(struct fl_omp_member *me);
bool fl_omp_taskgroup_cancelled(const struct fl_omp_member *me);

/* The team ends, which had no tasks any more. */
void fl_omp_task_pool_end(struct fl_omp_team *team);

/* Task reductions of a worksharing construct, which all members of the team meet: `data` is what
 * the compiler describes them by, of which those who come later get the first's memory. */
void fl_omp_reductions_begin(struct fl_omp_member *me, uintptr_t *data);

#endif
