/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Task migration: tasks that are executed on another host than the one that made them.
 *
 * A host with a member that finds no task is idle (`hungry`); a host that has made more tasks than
 * its members are likely to take is overloaded (`plenty`). Both tell host 0, which matches them:
 * the overloaded host grants the idle one its oldest tasks, which are likely to make others,
 * several in one message. A member sends it between two tasks, or the balancer thread while all
 * members are busy. The message orders what was written before a task was made before the task, and
 * the message of its end orders what the task wrote before what follows.
 *
 * The task's origin, the host that made it, counts it until it has ended elsewhere. The other host
 * executes it like a task that a member has made in a barrier; if the task is in a taskgroup, it
 * also reports the end of the task's descendants. The task's data are copied; in regions where
 * tasks may migrate, the data of all tasks are coherent memory, as tasks point to each other's.
 *
 * Until a task begins it may migrate again, to a further host or home, so that none waits behind a
 * task that waits for it. A host whose members all wait for the ends of certain tasks, which they
 * may execute but not others, asks for its own.
 *
 * Tasks do not migrate whose data cannot be copied bytewise, nor those with an event, a priority,
 * or task reductions.
 */
#ifndef FL_OMP_MIGRATE_H
#define FL_OMP_MIGRATE_H

#include "omp/far.h"
#include "omp/team.h"

enum { FL_OMP_MOVABLE_MOST = 1024 }; /* bytes of a migrating task's data, and their alignment */

/* Where a task is from. */
struct fl_omp_origin;

/* A member's share of migration, when it makes tasks and while it waits: it sends requested tasks
 * and handles the ends of migrated ones; in a barrier it may take tasks in. Members of other teams,
 * nested or not, only handle ends while they wait: their own task may wait for such an event. */
void fl_omp_migrate_step(struct fl_omp_member *me, bool in_barrier);

/* The same if events are pending, or other hosts might take tasks. */
extern _Atomic uint32_t fl_omp_migrate_news;
static inline void fl_omp_migrate_look(struct fl_omp_member *me) {
    /* Relaxed: a hint, which waiting members read again. */
    if (FL_UNLIKELY(atomic_load_explicit(&fl_omp_migrate_news, memory_order_relaxed) != 0 ||
                    fl_omp_team_agrees(me->team))) {
        fl_omp_migrate_step(me, false);
    }
}

/* A task has become ready whose maker may be busy for long. */
FL_COLD void fl_omp_migrate_made_ready(void);

/* Which tasks an idle host asks for: its members wait for the ends of certain tasks, and may only
 * execute what they have made; or a member is in a barrier. */
enum fl_omp_hunger { FL_OMP_FOR_NONE, FL_OMP_FOR_OWN, FL_OMP_FOR_ANY };

/* A member finds no task in a barrier, or while it waits for the ends of tasks, which may be on
 * other hosts: tells host 0 that this host is idle. */
FL_COLD void fl_omp_migrate_hungry(enum fl_omp_hunger what);

/* A task of another host has ended; the tasks that it has made may not have. */
void fl_omp_migrate_ended(struct fl_omp_task *task);

/* The stand-in for a taskgroup of another host: its count has become 0; a task has cancelled it. */
extern struct fl_omp_member fl_omp_away; /* its owner */
void fl_omp_migrate_group_ended(struct fl_omp_group *group);
void fl_omp_migrate_group_cancel(struct fl_omp_group *group);

/* The event of a task of another host is fulfilled. */
void fl_omp_migrate_fulfill(unsigned host, struct fl_omp_task *task);

/* ---- for hosts.c ---- */

/* Before the first region of several hosts. */
void fl_omp_migrate_start(void);

/* All members are in a barrier. Whether the host is quiet now and was not; *received: grants that
 * it has received. The next grant ends that. */
bool fl_omp_migrate_turns_quiet(struct fl_omp_team *team, uint64_t *received);
/* A hint, without the mutex: whether that call may return true. */
bool fl_omp_migrate_may_be_quiet(struct fl_omp_team *team);

/* The team's region begins on this host; null: it ends. All hosts go on from a barrier. */
void fl_omp_migrate_enter(struct fl_omp_team *team);
void fl_omp_migrate_reset(void);

/* Tell host 0 that this host is idle, or overloaded. The caller holds no lock that handlers take.
 * `given`: grants that this host has received. */
void fl_omp_hosts_hungry(enum fl_omp_hunger what, uint64_t given);
void fl_omp_hosts_plenty(void);

/* Whether the task, which is executed here, was made on another host. */
bool fl_omp_migrate_has_moved(const struct fl_omp_task *task);

#endif
