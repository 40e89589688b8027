/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's loops in the form of share.h, for the entries of all compilers. */
#ifndef FL_OMP_LOOP_H
#define FL_OMP_LOOP_H

#include "omp/deal.h"
#include "omp/program.h"

/* Describes a loop from `start` to before `end`, upwards or downwards, without beginning it. The
 * schedule is as the entries have it: FL_OMP_RUNTIME stands for the task's when the loop begins,
 * and FL_OMP_MONOTONIC may be added. */
struct fl_omp_loop fl_omp_loop_make(bool up, uint64_t start, uint64_t end, uint64_t step,
                                    uint32_t schedule, uint64_t chunk);

/* The member meets the loop. */
void fl_omp_loop_begin(struct fl_omp_member *me, struct fl_omp_loop loop);

/* Other arguments of the entries, if not null: task reductions; *memory is how many bytes members
 * share, and becomes their address. */
void fl_omp_loop_extras(struct fl_omp_member *me, uintptr_t *reductions, void **memory);

/* A region that consists of the loop. */
void fl_omp_loop_region(void (*body)(void *), void *data, unsigned threads, struct fl_omp_loop loop,
                        unsigned flags);

void fl_omp_loop_region_begin(void (*body)(void *), void *data, unsigned threads,
                              struct fl_omp_loop loop);

/* The member meets a doacross loop, ordered(n) with depend, whose outermost loop is divided;
 * `counts`: iterations of each loop of the nest. */
void fl_omp_doacross_begin(struct fl_omp_member *me, unsigned n_counts, const uint64_t *counts,
                           uint32_t schedule, uint64_t chunk);

/* The same where the nest is announced, as a construct of its own around the loop that divides it.
 * That loop tells how many loops of the nest, from the outermost on, are divided together. */
void fl_omp_nest_begin(struct fl_omp_member *me, unsigned depth, const uint64_t *counts);
void fl_omp_nest_divided(struct fl_omp_member *me, unsigned outer);
void fl_omp_nest_end(struct fl_omp_member *me);

/* Posts that the iteration, counted from 0 in each loop, is done; waits until it is. */
void fl_omp_nest_post(struct fl_omp_member *me, const uint64_t *iteration);
void fl_omp_nest_wait(struct fl_omp_member *me, const uint64_t *iteration);

/* The next piece in the numbers of share.h; false: none is left. */
bool fl_omp_loop_next_any(struct fl_omp_member *me, uint64_t *from, uint64_t *to);

/* The same in the program's numbers. */
static inline bool fl_omp_loop_next(struct fl_omp_member *me, uint64_t *from, uint64_t *to) {
    struct fl_omp_loop *loop = &me->loop;
    uint64_t first, end;
    if (!(FL_LIKELY(loop->dealt != NULL) ? fl_omp_deal_take(me, &first, &end)
          : loop->simple                 ? fl_omp_loop_take(loop, &first, &end)
                                         : fl_omp_loop_next_any(me, &first, &end))) {
        return false;
    }
    *from = loop->start + first * loop->step;
    /* Not beyond the end, which may be the largest number. */
    *to = end == loop->count ? loop->end : loop->start + end * loop->step;
    return true;
}

/* Of an ordered loop with more members than CPUs. If the piece whose turn it is belongs to a thread
 * without a CPU, all others wait for that thread to get one. So a member yields before it takes a
 * piece while pieces for all CPUs are under way, and spins for its turn: the threads that run take
 * the pieces. Yields are limited: where bodies block, the CPUs are free for other members. */
static inline bool fl_omp_loop_holds_back(const struct fl_omp_member *me) {
    return me->team->busy > fl_omp_program.cpus && me->loop.schedule != FL_OMP_STATIC &&
           !me->team->far;
}

/* The member waits until the iterations before its piece are done. */
void fl_omp_ordered_wait(struct fl_omp_member *me);

/* The member's piece is done. */
void fl_omp_ordered_pass(struct fl_omp_member *me);

#endif
