/* SPDX-License-Identifier: BSD-3-Clause */
/* How members of a team wait: for each other, or for anything else. OpenMP 5.1 §2.19.2. */
#ifndef FL_OMP_BARRIER_H
#define FL_OMP_BARRIER_H

#include "omp/team.h"

/* The team's barrier, at which all tasks end. */
void fl_omp_barrier(struct fl_omp_member *me);

/* The same, but true at once when the region is cancelled, before or meanwhile. */
bool fl_omp_barrier_cancel(struct fl_omp_member *me);

/* Of a member: whether a region or the next phase of it has begun that it does not know of. */
static inline bool fl_omp_state_changed(void *context) {
    struct fl_omp_member *me = context;
    /* [B2] pairs [B1]: what was written before, by the master or by all members, is seen. */
    return atomic_load_explicit(&me->team->state, memory_order_seq_cst) != me->state;
}

/* Of a team: whether all explicit tasks have ended. */
static inline bool fl_omp_tasks_ended(void *context) {
    struct fl_omp_team *team = context;
    /* [U2] pairs [U1], if its caller has not seen it by arriving. */
    return !atomic_load_explicit(&team->tasks.used, memory_order_seq_cst) ||
           fl_omp_tasks_ended_slow(team->members[0]);
}

/* Looks without a pause between two, which would add to the time that passing takes. */
enum { FL_OMP_MERE_LOOKS = 4000 };

static inline uint32_t fl_omp_mere_looks(const struct fl_omp_member *me) {
    return me->policy.spins < FL_OMP_MERE_LOOKS ? me->policy.spins : FL_OMP_MERE_LOOKS;
}

FL_COLD void fl_omp_wait_in_barrier_slow(struct fl_omp_member *me, struct fl_wait_bell *bell,
                                         fl_wait_condition *reached, void *context);
FL_COLD void fl_omp_wait_slow(struct fl_omp_member *me, struct fl_wait_bell *bell,
                              fl_wait_condition *reached, void *context, const char *what);

/* Waits until it has been reached, which is said by seq_cst loads and stays so; executes tasks
 * meanwhile. Who makes it true rings the bell, which is one of the team's. */
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

/* The same elsewhere, where a thread must not execute other tasks. `what` the program calls it, for
 * messages. */
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
