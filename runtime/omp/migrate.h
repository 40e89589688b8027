/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tasks that are executed on another host than the one that made them.
 *
 * A host with a member that finds no task is hungry, and tells host 0; one that has made more tasks
 * than its members are likely to take has plenty, and tells host 0, too. Host 0 brings the two
 * together: the latter gives some, the oldest ones, of which others may come, several in one message;
 * by a member that looks, or by a thread of its own while all members are busy.
 * What was written before a task was made is ordered before it by that message, and what it wrote
 * before what comes after it by the one that tells of its end.
 *
 * The host that made a task counts it until it has ended elsewhere. The other host executes it as one
 * of its own, which a member has made in a barrier; and tells of the end of those that it makes in
 * turn, if the task is of a taskgroup that waits for them. Its data are copied; in regions where
 * tasks may go away all data of tasks are the program's memory, as tasks point to each other's.
 *
 * Tasks stay at home whose data cannot be copied bytewise, and those with an event, a priority, or
 * task reductions.
 */
#ifndef FL_OMP_MIGRATE_H
#define FL_OMP_MIGRATE_H

#include "omp/far.h"
#include "omp/team.h"

/* Where a task is from. */
struct fl_omp_origin;

/* What a member does when it makes tasks, and while it waits: gives tasks away, takes notice of the
 * end of others; in a barrier it may get tasks. Members of other teams, inside the region or beside it,
 * do no more than take notice while they wait: it may be an event that their own task waits for. */
void fl_omp_migrate_step(struct fl_omp_member *me, bool in_barrier);

/* The same if there is something to take notice of, or others might take tasks. */
extern _Atomic uint32_t fl_omp_migrate_news;
static inline void fl_omp_migrate_look(struct fl_omp_member *me) {
    /* Relaxed: a hint, at which those who wait look again. */
    if (FL_UNLIKELY(atomic_load_explicit(&fl_omp_migrate_news, memory_order_relaxed) != 0 ||
                    fl_omp_team_agrees(me->team))) {
        fl_omp_migrate_step(me, false);
    }
}

/* It has had to wait for tasks in a barrier. */
FL_COLD void fl_omp_migrate_hungry(struct fl_omp_member *me);

/* A task of another host has ended; not those that it has made, maybe. */
void fl_omp_migrate_ended(struct fl_omp_task *task);

/* In the place of a taskgroup of another host: its count has become 0; it is cancelled. */
extern struct fl_omp_member fl_omp_away; /* its owner */
void fl_omp_migrate_group_ended(struct fl_omp_group *group);
void fl_omp_migrate_group_cancel(struct fl_omp_group *group);

/* The event of a task of another host is fulfilled. */
void fl_omp_migrate_fulfill(unsigned host, struct fl_omp_task *task);

/* ---- for hosts.c ---- */

enum { FL_OMP_MOST_HOSTS = 64 }; /* among which tasks go */

enum fl_omp_migrate_kind { /* of messages: the first word */
    FL_OMP_GIVE = 16, /* from host 0: hosts, a bit for each */
    FL_OMP_TASKS,     /* how many, how often they were asked for, 0; tasks */
    FL_OMP_ENDED,     /* task, whether its part of the group is over, and nanoseconds << 1 that it has
                         spent on other hosts; nanoseconds of a CPU beside these */
    FL_OMP_GROUP_ENDED,
    FL_OMP_FULFILLED,
    FL_OMP_GROUP_CANCEL,
    FL_OMP_MIGRATE_KINDS
};

/* A handler. False: that is no message. */
bool fl_omp_migrate_told(unsigned from, const uint64_t *message, size_t bytes);

/* All members are in a barrier. Whether the host is quiet now and was not; *received: how often it has
 * been given tasks. It no longer is when that happens again. */
bool fl_omp_migrate_turns_quiet(struct fl_omp_team *team, uint64_t *received);
/* Whether it may be worth asking that. */
bool fl_omp_migrate_may_be_quiet(struct fl_omp_team *team);

/* The team's region begins here; null: it ends. All hosts go on from a barrier. */
void fl_omp_migrate_enter(struct fl_omp_team *team);
void fl_omp_migrate_reset(void);

/* Messages to host 0. For threads that have no lock which handlers take. `given`: how often this host has
 * been given tasks. */
void fl_omp_hosts_hungry(uint64_t given);
void fl_omp_hosts_plenty(void);

#endif
