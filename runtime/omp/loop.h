/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's loops in the form of share.h: what loop.c and those beside it have in common. */
#ifndef FL_OMP_LOOP_H
#define FL_OMP_LOOP_H

#include "omp/team.h"

/* A loop from `start` to before `end`, upwards or downwards. Nothing is begun by it. The schedule is
 * as the entries have it: FL_OMP_RUNTIME stands for what the task has by then. */
struct fl_omp_loop fl_omp_loop_make(bool up, uint64_t start, uint64_t end, uint64_t step,
                                    uint32_t schedule, uint64_t chunk);

/* The member meets the loop. */
void fl_omp_loop_begin(struct fl_omp_member *me, struct fl_omp_loop loop);

/* The next piece in the program's numbers; false: there is none. */
bool fl_omp_loop_next(struct fl_omp_member *me, uint64_t *from, uint64_t *to);

/* The member waits until the iterations before its piece are through. */
void fl_omp_ordered_wait(struct fl_omp_member *me);

/* Its piece is through. */
void fl_omp_ordered_pass(struct fl_omp_member *me);

#endif
