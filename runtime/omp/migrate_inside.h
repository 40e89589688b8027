/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of task migration share: migrate.c takes tasks in and back, grant.c gives them
 * away, balancer.c does so while all members are busy. */
#ifndef FL_OMP_MIGRATE_INSIDE_H
#define FL_OMP_MIGRATE_INSIDE_H

#include "core/assert.h"
#include "omp/messages.h"
#include "omp/migrate.h"

/* A task in a message; its data follow, rounded up to 16 bytes. */
struct fl_omp_moved {
    _Alignas(16) struct fl_omp_task *task; /* on its origin, as is the group */
    uint64_t origin;                       /* the host */
    struct fl_omp_group *group;
    void (*body)(void *data);
    uint64_t bytes;
    uint32_t align, beyond; /* the data stand so many bytes beyond a multiple of that */
    struct fl_omp_icvs icvs;
    bool final, cancelled;
};

static inline size_t fl_omp_moved_bytes(const struct fl_omp_moved *moved) {
    return sizeof *moved + fl_round_up(moved->bytes, 16);
}

struct fl_omp_origin {
    struct fl_omp_group group; /* the stand-in for the one on the origin */
    struct fl_omp_moved moved;
    void *data;
    uint64_t cpu_ns, spent_ns; /* CPU time; time for other hosts' memory and locks */
    _Atomic uint32_t holders;
};

/* An inbound message, which handlers put in a list. */
struct fl_omp_letter {
    struct fl_omp_letter *next;
    unsigned from;
    union {
        uint64_t kind;
        struct fl_omp_tasks_message tasks;
        struct fl_omp_group_ended_message group_ended;
        struct fl_omp_fulfilled_message fulfilled;
    } words;
    size_t bytes; /* of its tasks or ends */
    size_t read;  /* of these, no longer in it */
    _Alignas(16) unsigned char tasks[];
};

/* Requests to send tasks to a host. */
struct fl_omp_requests {
    struct fl_omp_requests *next;
    uint32_t n; /* not granted yet; not 0: they are in the list `give` */
    bool for_own; /* the host asks for its own tasks alone */
};

struct fl_omp_migrate {
    struct fl_mutex mutex;
    struct fl_omp_team *team; /* of the region; null: there is none */
    struct fl_omp_letter *tasks, *ended;
    struct fl_omp_requests *of_hosts, *give; /* [host]; the first in the list */
    uint64_t received;                       /* grants */
    _Atomic uint32_t unpacking;              /* members that are taking tasks in */
    atomic_bool quiet, plenty;               /* as host 0 has been told, */
    _Atomic uint32_t hungry;                 /* and fl_omp_hunger */
};
extern struct fl_omp_migrate fl_omp_migrate;

/* Bits of fl_omp_migrate_news, the events that members handle: tasks have arrived, messages about
 * ends have, tasks are requested. */
enum { FL_OMP_NEWS_TASKS = 1, FL_OMP_NEWS_ENDED = 2, FL_OMP_NEWS_GIVE = 4 };

static inline uint32_t fl_omp_migrate_news_now(void) {
    /* [M1] pairs [M2]. A member that reads it too early reads it again. */
    return atomic_load_explicit(&fl_omp_migrate_news, memory_order_acquire);
}

/* The caller has the mutex, which orders it. */
static inline void fl_omp_migrate_news_drop(uint32_t what) {
    atomic_fetch_and_explicit(&fl_omp_migrate_news, ~what, memory_order_relaxed);
}

/* Handles messages about ends: tasks that follow become ready. Null member: the caller is not of the
 * region's team. */
void fl_omp_migrate_take_back(struct fl_omp_member *me);

/* ---- giving (grant.c) ---- */

/* Grants all requests, by a member of the region's team or by the balancer in place of its first:
 * this also gives away what has come and what no member has taken in. */
void fl_omp_grant(struct fl_omp_member *me, bool for_members);

/* How many tasks the member has that have not begun. Relaxed: an estimate, but of its own. */
int64_t fl_omp_grant_ready(struct fl_omp_member *member);

/* Whether there is a task that may migrate: the member's oldest, one in the team's queue. */
bool fl_omp_grant_has(struct fl_omp_member *member);
bool fl_omp_grant_has_queued(struct fl_omp_team *team);

/* Tells host 0 that this host is overloaded, unless it knows. */
void fl_omp_grant_say_plenty(void);

/* Lets others know if the member has more tasks than this host's members are likely to take soon. */
void fl_omp_grant_offer(struct fl_omp_member *me);

/* ---- the balancer (balancer.c) ---- */

/* A region begins in which tasks may migrate. For one thread at a time. */
void fl_omp_balancer_start(void);

/* Around the change of the region's team, which it looks at. Before the mutex. */
void fl_omp_balancer_stop(void);
void fl_omp_balancer_go_on(void);

/* Wakes it: tasks are requested, or are there for requests. For handlers, too. */
void fl_omp_balancer_call(void);

/* The same, unless it looks again without being called: there is a task, an end that is held back, or
 * a message about ends. False: it could not be started. For handlers, too. */
bool fl_omp_balancer_see(void);

#endif
