/* SPDX-License-Identifier: BSD-3-Clause */
/* Between tasks and task reductions as clang compiles them. */
#ifndef FL_OMP_KMP_TASK_H
#define FL_OMP_KMP_TASK_H

#include "omp/kmp.h"

/* Combines the copies: all participating tasks have ended. */
void fl_kmp_reductions_end(struct fl_omp_member *me, struct fl_kmp_reductions *reductions);

/* Whether the member should execute a participating task itself: it will combine the copies, and
 * the compiler's functions for that know the size of some variables only on threads that have
 * executed one. */
bool fl_kmp_reductions_want(const struct fl_omp_member *me,
                            const struct fl_kmp_reductions *reductions);

void __kmpc_taskgroup(FL_KMP_CALLER);
void __kmpc_end_taskgroup(FL_KMP_CALLER);

#endif
