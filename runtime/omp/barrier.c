/* SPDX-License-Identifier: BSD-3-Clause */
/* See barrier.h. */
#include "omp/barrier.h"

#include "core/assert.h"
#include "omp/far.h"
#include "omp/hosts.h"
#include "omp/migrate.h"
#include "omp/recorder.h"
#include "omp/watch.h"

struct waiter {
    struct fl_omp_member *me;
    fl_wait_condition *reached;
    void *context;
};

static bool reached_or_tasks(void *context) {
    struct waiter *waiter = context;
    return waiter->reached(waiter->context) || fl_omp_tasks_used(&waiter->me->team->tasks);
}

/* The policy's other polls, with pauses. On a machine that is busy with other programs they are
 * better than yielding: a thread that yields is without the CPU for milliseconds. */
static bool reached_soon(const struct fl_omp_member *me, fl_wait_condition *reached,
                         void *context) {
    for (uint32_t i = FL_OMP_MERE_LOOKS; i < me->policy.spins; i++) {
        if (reached(context)) {
            return true;
        }
        fl_os_relax();
    }
    return false;
}

static const char *name_of(const struct fl_omp_member *me, const struct fl_wait_bell *bell) {
    if (me->idle) {
        return FL_OMP_FAR_IDLE;
    }
    return bell == &me->team->end_bell ? "the end of a parallel region" : "a barrier";
}

void fl_omp_wait_in_barrier_slow(struct fl_omp_member *me, struct fl_wait_bell *bell,
                                 fl_wait_condition *reached, void *context) {
    struct waiter waiter = {me, reached, context};
    bool may_help = FL_UNLIKELY(fl_omp_team_agrees(me->team)) && reached == fl_omp_state_changed;
    const char *what = me->idle ? "idle" : "barrier", *call = name_of(me, bell);
    uint64_t since = fl_omp_record_begin(), in_tasks = fl_omp_record_in_tasks();
    if (!reached_soon(me, reached_or_tasks, &waiter)) {
        if (may_help) {
            fl_omp_migrate_hungry(FL_OMP_FOR_ANY);
        }
        fl_omp_wait_begin(call, me->number);
        fl_wait_among_others(bell, reached_or_tasks, &waiter, me->policy);
    }
    fl_omp_task_wait_in_barrier(me, reached, context);
    fl_omp_wait_end();
    fl_omp_record_end(since + (fl_omp_record_in_tasks() - in_tasks), what, call, me->index, 0);
}

void fl_omp_wait_slow(struct fl_omp_member *me, struct fl_wait_bell *bell,
                      fl_wait_condition *reached, void *context, const char *what) {
    uint64_t since = fl_omp_record_begin();
    if (!reached_soon(me, reached, context)) {
        fl_omp_wait_begin(what, me->number);
        fl_wait_among_others(bell, reached, context, me->policy);
        fl_omp_wait_end();
    }
    fl_omp_record_end(since, "wait", what, me->index, 0);
}

/* Before the last member to arrive opens the barrier, all tasks end. */
static FL_COLD void end_tasks(struct fl_omp_member *me) {
    fl_omp_wait_in_barrier(me, &me->team->bell, fl_omp_tasks_ended, me->team);
}

static void open_barrier(struct fl_omp_member *me) {
    struct fl_omp_team *team = me->team;
    if (FL_UNLIKELY(!fl_omp_tasks_ended(team))) {
        end_tasks(me);
    }
    if (FL_UNLIKELY(team->far)) {
        fl_omp_hosts_barrier(me);
    }
    /* Relaxed, twice: members write it between barriers only. Published by the state. */
    if (FL_UNLIKELY(atomic_load_explicit(&team->cancelled, memory_order_relaxed))) {
        atomic_fetch_and_explicit(&team->cancelled, FL_OMP_CANCEL_PARALLEL, memory_order_relaxed);
    }
    if (FL_UNLIKELY(team->far)) {
        fl_omp_hosts_passed();
    }
    if (team->n > 1) {
        /* [B1] pairs [B2], [B3]. Before the ring, which sees a sleeping member, or that member sees
         * this. */
        uint64_t before = atomic_exchange_explicit(
            &team->state, me->state + (1u << FL_OMP_SIZE_BITS), memory_order_seq_cst);
        fl_assert(before == me->state);
        fl_omp_ring_at(team, &team->bell);
    }
}

/* Whether the member is the last to arrive. */
static bool arrive(struct fl_omp_member *me) {
    struct fl_omp_team *team = me->team;
    me->arrivals += team->n;
    /* [B4] pairs itself: the last to arrive has seen what all wrote, and publishes it by [B1]. */
    uint32_t arrived = atomic_fetch_add_explicit(&team->arrived, 1, memory_order_acq_rel) + 1;
    fl_assert(me->arrivals - arrived < team->n);
    return arrived == me->arrivals;
}

static void passed(struct fl_omp_member *me) {
    if (me->team->n > 1) {
        me->state += 1u << FL_OMP_SIZE_BITS;
        fl_assert(!fl_omp_state_changed(me)); /* the next barrier opens only with this member */
    }
}

void fl_omp_barrier(struct fl_omp_member *me) {
    if (arrive(me)) {
        open_barrier(me);
    } else {
        fl_omp_wait_in_barrier(me, &me->team->bell, fl_omp_state_changed, me);
    }
    passed(me);
}

static bool region_cancelled(struct fl_omp_team *team) {
    /* [C2] pairs [C1], [C5]: either the ring sees this member asleep, or it sees this. */
    return atomic_load_explicit(&team->cancelled, memory_order_seq_cst) & FL_OMP_CANCEL_PARALLEL;
}

static bool passed_or_cancelled(void *context) {
    struct fl_omp_member *me = context;
    return fl_omp_state_changed(me) || region_cancelled(me->team);
}

/* Takes the member's arrival back; false: too late, all have arrived. */
static bool withdraw(struct fl_omp_member *me) {
    _Atomic uint32_t *arrived = &me->team->arrived;
    /* Relaxed, all of it: the region is over, and its end orders what was written. */
    uint32_t now = atomic_load_explicit(arrived, memory_order_relaxed);
    while (me->arrivals - now - 1 < me->team->n) {
        if (atomic_compare_exchange_weak_explicit(arrived, &now, now - 1, memory_order_relaxed,
                                                  memory_order_relaxed)) {
            me->arrivals -= me->team->n;
            return true;
        }
    }
    return false;
}

bool fl_omp_barrier_cancel(struct fl_omp_member *me) {
    if (region_cancelled(me->team)) {
        return true;
    }
    if (arrive(me)) {
        open_barrier(me);
    } else {
        fl_omp_wait_in_barrier(me, &me->team->bell, passed_or_cancelled, me);
        if (!fl_omp_state_changed(me)) {
            if (withdraw(me)) {
                return true;
            }
            fl_omp_wait_in_barrier(me, &me->team->bell, fl_omp_state_changed, me);
        }
    }
    passed(me);
    return FL_UNLIKELY(me->team->far) && fl_omp_hosts_are_over();
}
