/* SPDX-License-Identifier: BSD-3-Clause */
/* How members of a team wait: for each other, or for anything else. OpenMP 5.1 §2.19.2. */
#ifndef FL_OMP_BARRIER_H
#define FL_OMP_BARRIER_H

#include "omp/team.h"

/* The team's barrier. All explicit tasks of the team end before any member leaves it. */
void fl_omp_barrier(struct fl_omp_member *me);

/* The same, but returns true as soon as the region is cancelled, before or during the wait. */
bool fl_omp_barrier_cancel(struct fl_omp_member *me);

/* Whether the team's state is past the member's: a region, or its next phase, has begun. */
static inline bool fl_omp_state_changed(void *context) {
    struct fl_omp_member *me = context;
    /* [B2] pairs [B1], [B5]: what was written before, by the master or by all members, is seen. */
    return atomic_load_explicit(&me->team->state, memory_order_seq_cst) != me->state;
}

/* Whether all explicit tasks of the team have ended. */
static inline bool fl_omp_tasks_ended(void *context) {
    struct fl_omp_team *team = context;
    /* [U2] pairs [U1], if its caller has not seen it by arriving. */
    return !atomic_load_explicit(&team->tasks.used, memory_order_seq_cst) ||
           fl_omp_tasks_ended_slow(team->members[0]);
}

/* Polls without a pause in between: a pause would add to the barrier's latency. */
enum { FL_OMP_MERE_LOOKS = 4000 };

static inline uint32_t fl_omp_mere_looks(const struct fl_omp_member *me) {
    return me->policy.spins < FL_OMP_MERE_LOOKS ? me->policy.spins : FL_OMP_MERE_LOOKS;
}

FL_COLD void fl_omp_wait_in_barrier_slow(struct fl_omp_member *me, struct fl_wait_bell *bell,
                                         fl_wait_condition *reached, void *context);
FL_COLD void fl_omp_wait_slow(struct fl_omp_member *me, struct fl_wait_bell *bell,
                              fl_wait_condition *reached, void *context, const char *what);

/* Waits until `reached`, executing tasks meanwhile. The condition is read by seq_cst loads and,
 * once true, stays so; the thread that makes it true rings the bell, which is one of the team's. */
static inline __attribute__((always_inline)) void
fl_omp_wait_in_barrier(struct fl_omp_member *me, struct fl_wait_bell *bell,
                       fl_wait_condition *reached, void *context) {
    for (uint32_t i = fl_omp_mere_looks(me); i > 0; i--) {
        if (reached(context)) {
            return;
        }
        if (fl_omp_tasks_used(&me->team->tasks)) {
            break;
        }
    }
    fl_omp_wait_in_barrier_slow(me, bell, reached, context);
}

/* The same outside of barriers, where the thread must not execute tasks. `what`: the program's name
 * for what it waits for, in messages. */
static inline void fl_omp_wait(struct fl_omp_member *me, struct fl_wait_bell *bell,
                               fl_wait_condition *reached, void *context, const char *what) {
    for (uint32_t i = fl_omp_mere_looks(me); i > 0; i--) {
        if (reached(context)) {
            return;
        }
    }
    fl_omp_wait_slow(me, bell, reached, context, what);
}

#endif
