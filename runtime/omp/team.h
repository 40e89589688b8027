/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Teams of threads, and what each member knows. OpenMP 5.1 §2.6.
 *
 * A thread that begins parallel regions keeps their team: between regions its workers wait for the
 * next one. So a region costs one change of a word at its start and one arrival of each member at
 * its end. A nested region has a team of its own, kept by the member that began it.
 *
 * tests/litmus/team.pml is the model of this.
 *
 * All waiting in a team goes by barrier.h: spin, yield, sleep on the team's bell, and execute tasks
 * meanwhile. A thread that changes what others may wait for does so by a sequentially consistent
 * operation, and rings afterwards: else it may miss a thread that falls asleep.
 */
#ifndef FL_OMP_TEAM_H
#define FL_OMP_TEAM_H

#include "core/wait.h"
#include "omp/share.h"
#include "omp/task.h"

#define FL_OMP_API __attribute__((visibility("default")))
/* A further name of a function in the same file. */
#define FL_OMP_ALIAS(result, name, parameters, function)                                           \
    FL_OMP_API result name parameters __attribute__((alias(#function)))

struct fl_omp_team;

/* One thread in a team. Stays with the team as long as that has its workers. */
struct fl_omp_member {
    _Alignas(FL_CACHE_LINE) unsigned number; /* omp_get_thread_num() */
    unsigned size;                           /* omp_get_num_threads() */
    unsigned index;                          /* among this host's members */
    bool idle;                               /* waits for a region */
    struct fl_omp_team *team;                /* null: a thread that has not used OpenMP yet */
    struct fl_omp_task *task;                /* that it executes */
    uint64_t state;                          /* the team's, as the member last saw it */
    uint32_t arrivals;                       /* of all members, at barriers that it has passed */
    uint64_t shares;                         /* constructs with a share that it has met */
    uint64_t singles;                        /* and single constructs */
    uint64_t deals;                          /* loops that were dealt, in all regions: deal.h */
    struct fl_omp_loop loop;                 /* the worksharing construct that it is in */
    struct fl_wait_policy policy;            /* the team's */
    struct fl_omp_nest nest;                 /* and its loops, if it is a doacross nest */
    struct fl_omp_team *inner;               /* kept for the regions that it begins; may be null */
    int place;                               /* that it is bound to; meaningless without places */
    unsigned places_first, places_n;         /* for its own regions */
    unsigned bound;                          /* the place where its thread was put, plus 1; 0: none */
    _Alignas(FL_CACHE_LINE) _Atomic uint64_t dealt[FL_OMP_SHARES];
    _Alignas(FL_CACHE_LINE) struct fl_omp_task implicit;
    struct fl_omp_tasker tasks;
};

/* A team's state is phases << FL_OMP_SIZE_BITS | members, with regions and barriers counted
 * together as phases: one load tells a thread that a region has begun, and whether it takes
 * part. */
enum { FL_OMP_SIZE_BITS = 16, FL_OMP_MOST_THREADS = (1 << FL_OMP_SIZE_BITS) - 1 };

enum { FL_OMP_TURN_BITS = 4 };

struct fl_omp_team {
    /* Of the region: its master writes a field before the region begins, but only if it changes:
     * members have these in their caches. */
    unsigned n;                     /* members on this host */
    unsigned level, active_level;
    struct fl_omp_member **members; /* `made` of them: also those that the region does not use */
    unsigned made;
    unsigned reserved;              /* of what thread-limit-var allows */
    struct fl_omp_member *outer;    /* the master as a member of the team around; null: none */
    struct fl_omp_icvs icvs;        /* that implicit tasks begin with */
    uint64_t deals;                 /* before the region */
    struct fl_omp_loop fused;       /* the worksharing construct that begins with the region */
    unsigned first, size;           /* number of member 0, and members on all hosts */
    bool initial;                   /* the first thread's own */
    bool far;                       /* the region is on other hosts, too */
    bool measured;                  /* and whether that pays is measured: profit.h */
    atomic_bool agrees;             /* hosts detect termination before they meet: hosts.h */
    uint8_t bind;                   /* how its threads are bound: fl_omp_bind */
    unsigned busy;                  /* threads, if all teams around had as many members */
    struct fl_wait_policy policy;
    void *copied;                   /* by copyprivate */
    _Atomic uint32_t holders;       /* threads that use this */

    _Alignas(FL_CACHE_LINE) _Atomic uint64_t state;
    /* New in each region, and published by `state`. */
    void (*body)(void *data);
    void *data;
    uint32_t arrived_before;        /* at barriers of regions before */
    uint32_t ended_then;            /* `ended` when this region is over */
    struct fl_wait_bell bell;       /* of all but a master at the end of its region */
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t arrived; /* at barriers, in total */
    _Atomic uint32_t ended;         /* at ends of regions, but for the master */
    struct fl_wait_bell end_bell;
    _Alignas(FL_CACHE_LINE) _Atomic uint64_t singles; /* that a member has executed */
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t cancelled; /* FL_OMP_CANCEL_ */
    struct fl_wait_bell turns[1 << FL_OMP_TURN_BITS]; /* for members that wait for an iteration */
    /* Loops whose last chunk is taken. Whole numbers, not tags: while loops are empty or cancelled,
     * an entry may stay for long. deal.h. */
    _Alignas(FL_CACHE_LINE) _Atomic uint64_t last_dealt[FL_OMP_SHARES];
    struct fl_omp_tasks tasks;
    struct fl_omp_share shares[FL_OMP_SHARES];
};

/* The bell of members that wait until an iteration is done, or one with that number may begin. It
 * is hashed: members that wait for different iterations seldom share one. */
static inline struct fl_wait_bell *fl_omp_turn_bell(struct fl_omp_team *team, uint64_t iteration) {
    const uint64_t golden = 0x9e3779b97f4a7c15; /* D. Knuth, TAOCP 3, 6.4: multiplicative hashing */
    return &team->turns[iteration * golden >> (64 - FL_OMP_TURN_BITS)];
}

/* Constructs, numbered as GOMP_cancel does. */
enum {
    FL_OMP_CANCEL_PARALLEL = 1,
    FL_OMP_CANCEL_LOOP = 2,
    FL_OMP_CANCEL_SECTIONS = 4,
    FL_OMP_CANCEL_TASKGROUP = 8
};

/* The calling thread as a member. Never null: before it has used OpenMP, a member of no team. */
extern _Thread_local struct fl_omp_member *fl_omp_me __attribute__((tls_model("initial-exec")));

FL_COLD struct fl_omp_member *fl_omp_enter(void);

/* The same with a team: a thread outside of all regions is a team of its own. */
static inline struct fl_omp_member *fl_omp_self(void) {
    struct fl_omp_member *me = fl_omp_me;
    return FL_LIKELY(me->team != NULL) ? me : fl_omp_enter();
}

/* Executes `body` as if the calling thread were in no region. */
void fl_omp_apart(void (*body)(void *data), void *data);

/* References to a team, which has not ended: of its threads, and of a thread that will ring its
 * bells when the team may have ended because of that thread. The last release frees it. */
void fl_omp_team_hold(struct fl_omp_team *team);
void fl_omp_team_release(struct fl_omp_team *team);

/* Ends the workers that are kept for regions that `outer` begins. */
void fl_omp_team_drop(struct fl_omp_member *outer);

/* A parallel region, as the compiler describes it. */
struct fl_omp_region {
    void (*body)(void *data);
    void *data;
    unsigned threads;                /* as num_threads and if say; 0: neither is given */
    unsigned flags;                  /* proc_bind */
    const struct fl_omp_loop *fused; /* the worksharing construct that it begins with; may be null */
    bool here;                       /* on this host alone */
    const void *code;                /* the program's, if `body` is not; else null */
};

void fl_omp_region(const struct fl_omp_region *region);

/* The same in two halves, between which the caller executes the body. */
void fl_omp_region_begin(const struct fl_omp_region *region);
void fl_omp_region_end(void);

/* This host's part of a region of `n` members that has begun on another. */
void fl_omp_region_part(const struct fl_omp_region *region, unsigned n,
                        const struct fl_omp_icvs *icvs);

/* A league of `least` to `most` teams of at most `limit` threads; 0: not said. */
void fl_omp_league(void (*body)(void *data), void *data, unsigned least, unsigned most,
                   unsigned limit);

/* Whether tasks may migrate to and from other hosts. Relaxed: the thread that begins a region
 * changes it while threads that have no part in the region may read it. */
static inline bool fl_omp_team_agrees(struct fl_omp_team *team) {
    return atomic_load_explicit(&team->agrees, memory_order_relaxed);
}

/* Wakes all threads that wait in the team: there is a task, or the last has ended, or the like. */
static inline void fl_omp_ring(struct fl_omp_team *team) {
    fl_wait_ring(&team->bell);
    fl_wait_ring(&team->end_bell);
    fl_omp_tasks_call(&team->tasks);
}

/* The same for those at one of its bells, and those that sleep for want of tasks. Even if there are
 * no tasks: a worker may sleep since the region before, in which there were. */
static inline void fl_omp_ring_at(struct fl_omp_team *team, struct fl_wait_bell *bell) {
    fl_wait_ring(bell);
    fl_omp_tasks_call(&team->tasks);
}

/* How long waiting threads spin and yield before they sleep, when `n` threads are busy. */
struct fl_wait_policy fl_omp_policy(unsigned n);

#endif
