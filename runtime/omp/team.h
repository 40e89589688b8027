/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Teams of threads, and what each member knows. OpenMP 5.1 §2.6.
 *
 * A thread that begins parallel regions keeps their team: its workers wait for the next region
 * between two. So a region costs one change of a word at its start and one arrival of each member
 * at its end. A region inside of another has a team of its own, kept by the member that began it.
 *
 * tests/litmus/team.pml is the model of this.
 *
 * All waiting of a team goes by barrier.h: look, yield, sleep on the team's bell, and execute
 * tasks meanwhile. Who changes what others may wait for does so by a sequentially consistent
 * operation, and rings afterwards.
 */
#ifndef FL_OMP_TEAM_H
#define FL_OMP_TEAM_H

#include "core/wait.h"
#include "omp/share.h"
#include "omp/task.h"

#define FL_OMP_API __attribute__((visibility("default")))

struct fl_omp_team;

/* One thread in a team. Stays with the team as long as that has its workers. */
struct fl_omp_member {
    _Alignas(FL_CACHE_LINE) unsigned number; /* omp_get_thread_num() */
    unsigned size;                           /* omp_get_num_threads() */
    unsigned index;                          /* among this host's members */
    bool idle;                               /* waits for a region */
    struct fl_omp_team *team;                /* null: a thread that has not used OpenMP yet */
    struct fl_omp_task *task;                /* that it executes */
    uint64_t state;                          /* the team's, as far as it has followed */
    uint32_t arrivals;                       /* at barriers that it has passed, of all */
    uint64_t shares;                         /* constructs with a share that it has met */
    uint64_t singles;                        /* and single constructs */
    uint64_t deals;                          /* loops that were dealt, in all regions: deal.h */
    struct fl_omp_loop loop;                 /* the worksharing construct that it is in */
    struct fl_wait_policy policy;            /* the team's */
    struct fl_omp_nest nest;                 /* and its loops, if they are ordered crosswise */
    struct fl_omp_team *inner;               /* kept for the regions that it begins; may be null */
    int place;                               /* that it is bound to; meaningless without places */
    unsigned places_first, places_n;         /* for its own regions */
    unsigned bound;                          /* the place where its thread was put, plus 1; 0: none */
    _Alignas(FL_CACHE_LINE) _Atomic uint64_t dealt[FL_OMP_SHARES];
    _Alignas(FL_CACHE_LINE) struct fl_omp_task implicit;
    struct fl_omp_tasker tasks;
};

/* Regions and barriers of a team are counted together, and a thread learns atomically of a region
 * that has begun and whether it takes part: phases << FL_OMP_SIZE_BITS | members. */
enum { FL_OMP_SIZE_BITS = 16, FL_OMP_MOST_THREADS = (1 << FL_OMP_SIZE_BITS) - 1 };

enum { FL_OMP_TURN_BITS = 4 };

struct fl_omp_team {
    /* Of the region: written by its master before it begins, if it is not the same as before: members
     * have it in their caches. */
    unsigned n;                     /* members on this host */
    unsigned level, active_level;
    struct fl_omp_member **members; /* also those who do not take part: `made` of them */
    unsigned made;
    unsigned reserved;              /* of what thread-limit-var allows */
    struct fl_omp_member *outer;    /* what the master is in the team around; null: nothing */
    struct fl_omp_icvs icvs;        /* that implicit tasks begin with */
    uint64_t deals;                 /* before the region */
    struct fl_omp_loop fused;       /* the worksharing construct that begins with the region */
    unsigned first, size;           /* number of member 0, and members on all hosts */
    bool initial;                   /* the first thread's own */
    bool far;                       /* the region is on other hosts, too */
    atomic_bool agrees;             /* which agree before they meet: hosts.h */
    uint8_t bind;                   /* how its threads are bound: fl_omp_bind */
    unsigned busy;                  /* threads, if all teams around had as many members */
    struct fl_wait_policy policy;
    void *copied;                   /* by copyprivate */
    _Atomic uint32_t holders;       /* threads that use this */

    _Alignas(FL_CACHE_LINE) _Atomic uint64_t state;
    /* What is new in each region, and comes with its state. */
    void (*body)(void *data);
    void *data;
    uint32_t arrived_before;        /* at barriers of regions before */
    uint32_t ended_then;            /* at ends of regions, when this one is over */
    struct fl_wait_bell bell;       /* of all but a master at the end of its region */
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t arrived; /* at barriers, in total */
    _Atomic uint32_t ended;         /* at ends of regions, but for the master */
    struct fl_wait_bell end_bell;
    _Alignas(FL_CACHE_LINE) _Atomic uint64_t singles; /* that somebody has taken */
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t cancelled; /* FL_OMP_CANCEL_ */
    struct fl_wait_bell turns[1 << FL_OMP_TURN_BITS]; /* of who waits for an iteration */
    /* Loops whose last chunk is taken, by their whole numbers: there may be none for long, if loops
     * are empty or cancelled. deal.h. */
    _Alignas(FL_CACHE_LINE) _Atomic uint64_t last_dealt[FL_OMP_SHARES];
    struct fl_omp_tasks tasks;
    struct fl_omp_share shares[FL_OMP_SHARES];
};

/* Where a member sleeps until an iteration is through, or one with that number may begin: seldom
 * together with others that wait for another one. */
static inline struct fl_wait_bell *fl_omp_turn_bell(struct fl_omp_team *team, uint64_t iteration) {
    const uint64_t golden = 0x9e3779b97f4a7c15; /* D. Knuth, TAOCP 3, 6.4: multiplicative hashing */
    return &team->turns[iteration * golden >> (64 - FL_OMP_TURN_BITS)];
}

/* As GOMP_cancel has them. */
enum {
    FL_OMP_CANCEL_PARALLEL = 1,
    FL_OMP_CANCEL_LOOP = 2,
    FL_OMP_CANCEL_SECTIONS = 4,
    FL_OMP_CANCEL_TASKGROUP = 8
};

/* What the calling thread is. Never null: before it has used OpenMP, a member of no team. */
extern _Thread_local struct fl_omp_member *fl_omp_me __attribute__((tls_model("initial-exec")));

FL_COLD struct fl_omp_member *fl_omp_enter(void);

/* The same with a team: a thread outside of all regions is a team of its own. */
static inline struct fl_omp_member *fl_omp_self(void) {
    struct fl_omp_member *me = fl_omp_me;
    return FL_LIKELY(me->team != NULL) ? me : fl_omp_enter();
}

/* Executes it as a thread that is in no region, for the time being. */
void fl_omp_apart(void (*body)(void *data), void *data);

/* A thread uses the team, which has not ended: its own, or one that it will ring when the team may have
 * ended because of it. Who releases it last takes it along. */
void fl_omp_team_hold(struct fl_omp_team *team);
void fl_omp_team_release(struct fl_omp_team *team);

/* The workers that are kept for regions that `outer` begins end. */
void fl_omp_team_drop(struct fl_omp_member *outer);

/* A parallel region, as the compiler describes it. */
struct fl_omp_region {
    void (*body)(void *data);
    void *data;
    unsigned threads;                /* as num_threads and if say; 0: neither is given */
    unsigned flags;                  /* proc_bind */
    const struct fl_omp_loop *fused; /* the worksharing construct that it begins with; may be null */
    bool here;                       /* on this host alone */
};

void fl_omp_region(const struct fl_omp_region *region);

/* In two halves, between which the caller executes the body. */
void fl_omp_region_begin(const struct fl_omp_region *region);
void fl_omp_region_end(void);

/* This host's part of a region of `n` members that has begun on another. */
void fl_omp_region_part(const struct fl_omp_region *region, unsigned n,
                        const struct fl_omp_icvs *icvs);

/* A league of `least` to `most` teams, 0: not said, with so many threads at most. */
void fl_omp_league(void (*body)(void *data), void *data, unsigned least, unsigned most,
                   unsigned limit);

/* Whether tasks may go to other hosts, and come from there. Relaxed: changed by who begins a region,
 * while threads that have no part in it may look. */
static inline bool fl_omp_team_agrees(struct fl_omp_team *team) {
    return atomic_load_explicit(&team->agrees, memory_order_relaxed);
}

/* Wakes those who wait in the team: there is a task, or the last has ended, or the like. */
static inline void fl_omp_ring(struct fl_omp_team *team) {
    fl_wait_ring(&team->bell);
    fl_wait_ring(&team->end_bell);
    fl_omp_tasks_call(&team->tasks);
}

/* The same for those at one of its bells. Even if there are no tasks: a worker may sleep since the
 * region before, in which there were. */
static inline void fl_omp_ring_at(struct fl_omp_team *team, struct fl_wait_bell *bell) {
    fl_wait_ring(bell);
    fl_omp_tasks_call(&team->tasks);
}

/* How patient threads are that wait for others when `n` are busy. */
struct fl_wait_policy fl_omp_policy(unsigned n);

#endif
