/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cut-off of tasks: when a member executes a task that it makes at once (undeferred), though
 * others could: if they have enough tasks, or if tasks are so short that handing one over costs
 * more.
 */
#ifndef FL_OMP_EAGER_H
#define FL_OMP_EAGER_H

#include "omp/team.h"

/* Cost of handing over a task to another thread; of a task that has dependences. */
enum fl_omp_handing_over { FL_OMP_ALONE_NS = 100, FL_OMP_AMONG_SIBLINGS_NS = 400 };

/* A region begins, with its first task deferred: waiting members look for tasks, and set `wanted`,
 * only once there has been one. */
static inline void fl_omp_eager_wipe(struct fl_omp_member *me) {
    me->tasks.has_been_full = false;
    me->tasks.busy = 0;
}

bool fl_omp_eager_slow(struct fl_omp_member *me, enum fl_omp_handing_over cost);

/* An idle member has looked for tasks for long. Whether this member nevertheless goes on to execute
 * its own at once, as they are short. */
FL_COLD bool fl_omp_eager_still(struct fl_omp_member *me, enum fl_omp_handing_over cost);

/* Whether the member should execute a new task that is ready at once. */
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

/* The same for a task whose dependences were already satisfied when it was made: the other threads
 * keep up with its maker. */
bool fl_omp_eager_late(struct fl_omp_member *me);

/* A new child of the current task waits for predecessors. If children end as fast as new ones are
 * made, it is better to wait for all of them, and to execute the next ones at once. */
void fl_omp_eager_behind(struct fl_omp_member *me);

/* Whether taskloops with this body have been so short that the maker should execute all
 * iterations. */
bool fl_omp_eager_loop(struct fl_omp_member *me, void (*body)(void *));

/* The loop is likely to take `ns`. Whether it still counts as short. */
bool fl_omp_eager_loop_takes(struct fl_omp_member *me, void (*body)(void *), uint64_t ns);

/* The loop took `ns` until all its tasks had ended; its pieces take `pieces_ns`, by an estimate. */
void fl_omp_eager_loop_took(struct fl_omp_member *me, void (*body)(void *), uint64_t ns,
                            uint64_t pieces_ns);

#endif
