/* SPDX-License-Identifier: BSD-3-Clause */
/* What tasks and task reductions, as clang compiles them, ask of each other. */
#ifndef FL_OMP_KMP_TASK_H
#define FL_OMP_KMP_TASK_H

#include "omp/kmp.h"

/* All tasks that take part have ended. */
void fl_kmp_reductions_end(struct fl_omp_member *me, struct fl_kmp_reductions *reductions);

/* Whether the member had better execute a task of the reductions itself: it is who will combine them,
 * and functions of the compiler's that do know the size of some variables only on threads that have. */
bool fl_kmp_reductions_want(const struct fl_omp_member *me,
                            const struct fl_kmp_reductions *reductions);

void __kmpc_taskgroup(FL_KMP_CALLER);
void __kmpc_end_taskgroup(FL_KMP_CALLER);

#endif
