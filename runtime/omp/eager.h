/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When a member that makes a task executes it at once, though it might leave it to others: if those
 * have enough to do, or if its tasks take so little time that it costs more to hand them over.
 */
#ifndef FL_OMP_EAGER_H
#define FL_OMP_EAGER_H

#include "omp/team.h"

/* What it costs to have another thread execute a task; one that siblings depend on. */
enum fl_omp_handing_over { FL_OMP_ALONE_NS = 100, FL_OMP_AMONG_SIBLINGS_NS = 400 };

/* A region begins: those that wait at its end look for tasks, and say that they find none, only once one
 * has been left to others. */
static inline void fl_omp_eager_wipe(struct fl_omp_member *me) {
    me->tasks.has_been_full = false;
    me->tasks.busy = 0;
}

bool fl_omp_eager_slow(struct fl_omp_member *me, enum fl_omp_handing_over cost);

/* Somebody has looked for tasks for long, in vain. Whether this member still executes its own at once,
 * as they are short. */
FL_COLD bool fl_omp_eager_still(struct fl_omp_member *me, enum fl_omp_handing_over cost);

/* Of a task that is ready. */
static inline bool fl_omp_eager(struct fl_omp_member *me, enum fl_omp_handing_over cost) {
    if (me->tasks.busy > 0) {
        /* Relaxed: a hint. */
        if (FL_LIKELY(!atomic_load_explicit(&me->tasks.wanted, memory_order_relaxed)) ||
            fl_omp_eager_still(me, cost)) {
            me->tasks.busy--;
            return true;
        }
    }
    return me->team->size == 1 || fl_omp_eager_slow(me, cost);
}

/* The same of one that is so as all siblings that it would have followed have ended before it was
 * made: others are as fast as its maker. */
bool fl_omp_eager_late(struct fl_omp_member *me);

/* A child of the current task waits for siblings, as others before it do, maybe. If they end as fast as
 * new ones come, it is better to wait for them, and to execute at once those that come. */
void fl_omp_eager_behind(struct fl_omp_member *me);

/* Whether a taskloop with this body has taken so little time that its maker should execute all of it. */
bool fl_omp_eager_loop(struct fl_omp_member *me, void (*body)(void *));

/* It is likely to take so much. Whether it still is one of those. */
bool fl_omp_eager_loop_takes(struct fl_omp_member *me, void (*body)(void *), uint64_t ns);

/* It took so much until all has ended; its pieces, probably. */
void fl_omp_eager_loop_took(struct fl_omp_member *me, void (*body)(void *), uint64_t ns,
                            uint64_t pieces_ns);

#endif
