/* SPDX-License-Identifier: BSD-3-Clause */
/* See task.h. Every task is executed where it is met. */
#include "omp/task.h"

#include "omp/team.h"

#include <stdlib.h>
#include <string.h>

bool fl_omp_task_run(struct fl_omp_member *me) {
    (void)me;
    return false;
}

void fl_omp_task_implicit_end(struct fl_omp_member *me) {
    (void)me;
}

void fl_omp_taskgroup_cancel(struct fl_omp_member *me) {
    (void)me;
}

bool fl_omp_taskgroup_cancelled(const struct fl_omp_member *me) {
    (void)me;
    return false;
}

void fl_omp_task_pool_end(struct fl_omp_team *team) {
    (void)team;
}

void fl_omp_reductions_begin(struct fl_omp_member *me, uintptr_t *data) {
    (void)me;
    (void)data;
}
