/* SPDX-License-Identifier: BSD-3-Clause */
/* See team.h. */
#include "omp/team.h"

#include "core/assert.h"
#include "core/fatal.h"
#include "omp/affinity.h"
#include "omp/barrier.h"
#include "omp/deal.h"
#include "omp/eager.h"
#include "omp/hosts.h"
#include "omp/places.h"
#include "omp/profit.h"
#include "omp/program.h"
#include "omp/recorder.h"
#include "omp/spans.h"
#include "omp/watch.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The member that every thread is before it uses OpenMP. Read only. */
static struct fl_omp_member nobody = {.size = 1};

_Thread_local struct fl_omp_member *fl_omp_me = &nobody;

static void *zeros(size_t bytes) {
    void *memory = FL_ALLOCATED(aligned_alloc(FL_CACHE_LINE, fl_round_up(bytes, FL_CACHE_LINE)),
                                "a team of OpenMP threads");
    return memset(memory, 0, bytes);
}

/* ---- members ---- */

static void add_member(struct fl_omp_team *team) {
    fl_assert(team->made < FL_OMP_MOST_THREADS);
    struct fl_omp_member *member = zeros(sizeof *member);
    member->team = team;
    member->index = team->made;
    member->task = &member->implicit;
    member->policy = team->policy;
    /* Relaxed: only the master changes it between regions. */
    member->state = atomic_load_explicit(&team->state, memory_order_relaxed);
    team->members[team->made++] = member;
    fl_omp_tasker_begin(member);
}

/* Prints when the thread's level, binding or team size is another than when it last printed; the
 * master of a nested team comes back to another level. OpenMP 5.1 §6.13. */
static void show_affinity(struct fl_omp_member *me) {
    static _Thread_local uint64_t last;
    const struct fl_omp_team *team = me->team;
    uint64_t place = (uint64_t)team->level << 40 | (uint64_t)team->bind << 32 | team->size;
    if (team->level > 0 && last != place) {
        last = place;
        fl_omp_affinity_show(NULL);
    }
}

/* Whether the calling thread, the owner, has no task: no thief can take one then. */
static bool deque_is_empty(struct fl_omp_deque *deque) {
    /* Relaxed: the owner has seen the end of the region before. */
    return fl_omp_deque_bottom(deque) == atomic_load_explicit(&deque->top, memory_order_relaxed);
}

static void member_begin(struct fl_omp_member *me) {
    const struct fl_omp_team *team = me->team;
    fl_assert(me->index < team->n && team->n <= team->made);
    fl_assert(deque_is_empty(&me->tasks.deque) && !me->tasks.seeking);
    me->number = team->first + me->index;
    me->size = team->size;
    fl_assert(me->number < me->size);
    me->policy = team->policy;
    me->arrivals = team->arrived_before;
    me->shares = 0;
    me->singles = 0;
    me->deals = team->deals;
    me->task = &me->implicit;
    fl_omp_eager_wipe(me);
    me->implicit.icvs = team->icvs;
    if (FL_UNLIKELY(team->bind)) {
        fl_omp_places_bind(me);
    }
    if (FL_UNLIKELY(fl_omp_program.show_affinity)) {
        show_affinity(me);
    }
    if (team->fused.schedule) {
        me->loop = team->fused;
        fl_omp_share_begin(me);
    }
}

/* ---- workers ---- */

static void *work(void *argument) {
    struct fl_omp_member *me = argument;
    struct fl_omp_team *team = me->team;
    fl_omp_me = me;
    fl_omp_watch_thread(team->first + me->index);
    for (;;) {
        me->idle = true;
        fl_omp_wait_in_barrier(me, &team->bell, fl_omp_state_changed, me);
        me->idle = false;
        /* [B3] pairs [B1], [B5]. */
        me->state = atomic_load_explicit(&team->state, memory_order_acquire);
        unsigned n = (unsigned)me->state & FL_OMP_MOST_THREADS;
        if (n == 0) {
            break;
        }
        if (me->index >= n) {
            continue;
        }
        fl_assert(n == team->n);
        member_begin(me);
        team->body(team->data);
        fl_omp_task_implicit_end(me);
        uint32_t all = team->ended_then; /* read now: after the next line a region may begin */
        /* [A1] pairs [A2]: the master sees what the member wrote. */
        uint32_t ended = atomic_fetch_add_explicit(&team->ended, 1, memory_order_seq_cst) + 1;
        fl_assert((int32_t)(all - ended) >= 0);
        if (ended == all) {
            fl_omp_ring_at(team, &team->end_bell);
        }
    }
    fl_omp_watch_end();
    fl_omp_team_release(team);
    return NULL;
}

/* Adds members, and starts their threads, until there are `n`. */
static void grow(struct fl_omp_team *team, unsigned n) {
    struct fl_omp_member **members =
        FL_ALLOCATED(realloc(team->members, n * sizeof(struct fl_omp_member *)),
                     "a team of %u OpenMP threads", n);
    team->members = members;
    while (team->made < n) {
        add_member(team);
        if (team->made == 1) {
            continue; /* the master has its thread */
        }
        fl_omp_team_hold(team);
        int error = fl_os_thread_start(work, team->members[team->made - 1], fl_omp_program.stack);
        if (error) {
            fl_fatal(FL_CODE_OMP_THREADS, "thread %u of a parallel region cannot be started: %s",
                     team->made - 1, strerror(-error));
        }
    }
}

/* ---- teams ---- */

static struct fl_omp_team *make_team(struct fl_omp_member *outer) {
    struct fl_omp_team *team = zeros(sizeof *team);
    team->outer = outer;
    atomic_init(&team->holders, 1);
    for (unsigned i = 0; i < FL_OMP_SHARES; i++) {
        atomic_init(&team->shares[i].number, i);
    }
    grow(team, 1);
    return team;
}

/* Ends the workers that the thread of `outer` has kept. */
static void end_team(struct fl_omp_team *team) {
    uint64_t state = atomic_load_explicit(&team->state, memory_order_relaxed); /* its own */
    uint64_t phase = (state >> FL_OMP_SIZE_BITS) + 1;
    /* [B5] pairs [B2], [B3]. */
    atomic_exchange_explicit(&team->state, phase << FL_OMP_SIZE_BITS, memory_order_seq_cst);
    fl_omp_ring_at(team, &team->bell);
    fl_omp_team_release(team);
}

void fl_omp_team_drop(struct fl_omp_member *outer) {
    if (outer->inner) {
        end_team(outer->inner);
        outer->inner = NULL;
    }
}

void fl_omp_team_hold(struct fl_omp_team *team) {
    /* Relaxed: the thread that frees the team has seen this by the synchronisation it waited
     * for. */
    uint32_t holders = atomic_fetch_add_explicit(&team->holders, 1, memory_order_relaxed);
    fl_assert(holders > 0);
}

void fl_omp_team_release(struct fl_omp_team *team) {
    /* [A3] pairs itself: the holder that frees the team sees that others no longer use it. */
    uint32_t holders = atomic_fetch_sub_explicit(&team->holders, 1, memory_order_acq_rel);
    fl_assert(holders > 0);
    if (holders != 1) {
        return;
    }
    for (unsigned i = 0; i < team->made; i++) {
        fl_omp_team_drop(team->members[i]);
        fl_omp_tasker_end(team->members[i]);
        free(team->members[i]);
    }
    fl_omp_reductions_end(&team->tasks);
    free(team->members);
    free(team);
}

static pthread_key_t leaving;
static pthread_once_t leaving_once = PTHREAD_ONCE_INIT;

static void leave(void *team) {
    fl_omp_watch_end();
    fl_omp_me = &nobody;
    end_team(team);
}

/* A forked child has only the thread that called fork. */
static void forget_workers(void) {
    if (fl_omp_me->team && fl_omp_me->team->level == 0) {
        fl_omp_me->inner = NULL;
    }
}

static void prepare_leaving(void) {
    pthread_key_create(&leaving, leave);
    pthread_atfork(NULL, NULL, forget_workers);
}

/* Whether a first thread has used OpenMP: only regions of that thread may be on several hosts. */
static atomic_bool initial_is_known;

struct fl_omp_member *fl_omp_enter(void) {
    struct fl_omp_team *team = make_team(NULL);
    team->n = team->size = 1;
    team->busy = 1;
    team->icvs = fl_omp_program.icvs;
    team->policy = fl_omp_policy(1);
    /* Relaxed: one thread has it, whichever. */
    team->initial = !atomic_exchange_explicit(&initial_is_known, true, memory_order_relaxed);
    fl_omp_me = team->members[0];
    fl_omp_me->places_n = fl_omp_places_count();
    member_begin(fl_omp_me);
    pthread_once(&leaving_once, prepare_leaving);
    pthread_setspecific(leaving, team);
    fl_omp_watch_thread(0);
    return fl_omp_me;
}

void fl_omp_apart(void (*body)(void *data), void *data) {
    struct fl_omp_member *me = fl_omp_me;
    void *left = pthread_getspecific(leaving);
    fl_omp_me = &nobody;
    body(data);
    if (fl_omp_me->team) {
        end_team(fl_omp_me->team);
    }
    fl_omp_me = me;
    pthread_setspecific(leaving, left);
}

/* ---- regions ---- */

/* Limits a region to the threads that the hosts have stacks for: a team may be smaller than
 * asked. */
static unsigned size_over_hosts(unsigned n) {
    const unsigned most = fl_omp_far.hosts * FL_OMP_FAR_THREADS;
    if (FL_LIKELY(n <= most)) {
        return n;
    }
    static atomic_flag told = ATOMIC_FLAG_INIT;
    /* Relaxed: any thread may be the first one. */
    if (!atomic_flag_test_and_set_explicit(&told, memory_order_relaxed)) {
        fl_warn("a parallel region of %u threads has %u: %d for each of %u hosts is the most", n,
                most, FL_OMP_FAR_THREADS, fl_omp_far.hosts);
    }
    return most;
}

/* OpenMP 5.1 §2.6.1, algorithm 2.1. */
static unsigned size_of_region(const struct fl_omp_member *me, unsigned asked) {
    const struct fl_omp_icvs *icvs = &me->task->icvs;
    unsigned n = asked ? asked : fl_omp_threads(icvs);
    if (n == 1 || me->team->active_level >= icvs->max_active_levels) {
        return 1;
    }
    if (icvs->dynamic && n > fl_omp_processors()) {
        n = fl_omp_processors();
    }
    n = n < FL_OMP_MOST_THREADS ? n : FL_OMP_MOST_THREADS;
    return FL_UNLIKELY(fl_omp_spread()) ? size_over_hosts(n) : n;
}

/* Threads of all teams beyond the initial ones; counted where thread-limit-var limits them. */
static _Atomic uint32_t all_threads;

/* Writes a field of a team only if it changes: struct fl_omp_team has why. */
#define SET(field, value)                                                                          \
    do {                                                                                           \
        if ((field) != (value)) {                                                                  \
            (field) = (value);                                                                     \
        }                                                                                          \
    } while (0)

/* Reserves up to `n` members, of which the master does not count; how many. Relaxed: only a
 * count. */
static unsigned reserve(struct fl_omp_team *team, uint32_t limit, unsigned n) {
    SET(team->reserved, 0);
    if (FL_LIKELY(limit == FL_OMP_NO_LIMIT || n == 1)) {
        return n;
    }
    uint32_t now = atomic_load_explicit(&all_threads, memory_order_relaxed), more;
    do {
        uint32_t left = limit > now + 1 ? limit - now - 1 : 0;
        more = n - 1 < left ? n - 1 : left;
    } while (!atomic_compare_exchange_weak_explicit(&all_threads, &now, now + more,
                                                    memory_order_relaxed, memory_order_relaxed));
    team->reserved = more;
    return more + 1;
}

/* Divides what a region over hosts leaves of thread-limit-var among the hosts, as each host counts
 * the threads of nested regions for itself. */
static void leave_to_hosts(struct fl_omp_team *team, uint32_t limit) {
    if (FL_LIKELY(limit == FL_OMP_NO_LIMIT)) {
        return;
    }
    uint32_t now = atomic_load_explicit(&all_threads, memory_order_relaxed);
    uint32_t left = limit > now + 1 ? limit - now - 1 : 0;
    unsigned first, others = left - fl_omp_span_part(left, &first);
    atomic_fetch_add_explicit(&all_threads, others, memory_order_relaxed);
    team->reserved += others;
}

static void release(const struct fl_omp_team *team) {
    if (FL_UNLIKELY(team->reserved)) {
        /* Relaxed: a count. */
        uint32_t all =
            atomic_fetch_sub_explicit(&all_threads, team->reserved, memory_order_relaxed);
        fl_assert(all >= team->reserved);
    }
}

enum { BIND = 7 }; /* proc_bind, in a region's flags */

/* proc_bind of the region, bind-var otherwise. */
static uint8_t binding(const struct fl_omp_member *outer, unsigned flags) {
    unsigned asked = flags & BIND;
    if (FL_LIKELY(outer->places_n == 0 || outer->task->icvs.bind == FL_OMP_BIND_FALSE)) {
        return FL_OMP_BIND_FALSE;
    }
    return asked ? (uint8_t)asked : outer->task->icvs.bind;
}

static void prepare(struct fl_omp_team *team, const struct fl_omp_region *region, unsigned n) {
    const struct fl_omp_member *outer = team->outer;
    unsigned size = n, first = 0;
    if (FL_UNLIKELY(team->far)) {
        n = fl_omp_span_part(n, &first);
    }
    fl_assert(n > 0 && first + n <= size);
    SET(team->size, size);
    SET(team->first, first);
    if (n > team->made) {
        grow(team, n);
    }
    if (n != team->n && team->deals != FL_OMP_SHARES) {
        fl_omp_deal_wipe(team);
    }
    unsigned busy = outer->team->busy * n;
    if (busy != team->busy) {
        team->busy = busy;
        team->policy = fl_omp_policy(busy);
    }
    SET(team->n, n);
    SET(team->level, outer->team->level + 1);
    SET(team->active_level, outer->team->active_level + (team->size > 1));
    SET(team->bind, binding(outer, region->flags));
    struct fl_omp_icvs icvs = outer->task->icvs;
    if (FL_UNLIKELY((region->flags & BIND) && icvs.bind != FL_OMP_BIND_FALSE)) {
        icvs.bind = region->flags & BIND; /* for regions inside, as gcc's library has it */
    }
    fl_omp_program_inherit(&icvs, team->level);
    if (memcmp(&team->icvs, &icvs, sizeof icvs) != 0) {
        team->icvs = icvs;
    }
}

/* Resets what is left of the region before. Relaxed: published by the state, or the thread's
 * own. */
static void wipe(struct fl_omp_team *team) {
    fl_omp_tasks_wipe(&team->tasks);
    if (team->members[0]->singles) {
        atomic_store_explicit(&team->singles, 0, memory_order_relaxed);
    }
    bool cancelled = atomic_load_explicit(&team->cancelled, memory_order_relaxed);
    if (FL_UNLIKELY(cancelled)) {
        atomic_store_explicit(&team->cancelled, 0, memory_order_relaxed);
        atomic_store_explicit(&team->singles, 0, memory_order_relaxed);
        fl_omp_deal_wipe(team);
    } else if (team->deals != team->members[0]->deals) {
        team->deals = team->members[0]->deals;
    }
    if (team->members[0]->shares || cancelled) {
        fl_omp_shares_wipe(team->shares, cancelled ? FL_OMP_SHARES : team->members[0]->shares);
    }
}

static struct fl_omp_team *inner_team(struct fl_omp_member *outer) {
    if (FL_UNLIKELY(!outer->inner)) {
        outer->inner = make_team(outer);
    }
    wipe(outer->inner);
    return outer->inner;
}

/* `n` members, or this host's part of them. */
static void begin(struct fl_omp_team *team, const struct fl_omp_region *region, unsigned n) {
    prepare(team, region, n);
    struct fl_omp_member *me = team->members[0];
    team->body = region->body;
    team->data = region->data;
    /* Relaxed: no member is at a barrier. */
    fl_assert(atomic_load_explicit(&team->arrived, memory_order_relaxed) == me->arrivals);
    team->arrived_before = me->arrivals;
    team->ended_then += team->n - 1;
    if (region->fused) {
        team->fused = *region->fused;
    } else if (team->fused.schedule) {
        team->fused.schedule = 0;
    }
    if (FL_UNLIKELY(team->far)) {
        fl_omp_hosts_enter(team);
    }
    if (team->made > 1) { /* members that have no part in it must know, too */
        uint64_t phase = (me->state >> FL_OMP_SIZE_BITS) + 1;
        me->state = phase << FL_OMP_SIZE_BITS | team->n;
        /* [B5] pairs [B2], [B3]. */
        atomic_exchange_explicit(&team->state, me->state, memory_order_seq_cst);
        fl_omp_ring_at(team, &team->bell);
    }
    fl_omp_me = me;
    member_begin(me);
}

/* Whether the region has members on all hosts. Places for threads are of a host; and on one, nested
 * teams of all threads might be too many. */
static FL_COLD bool is_distributed(struct fl_omp_team *team, const struct fl_omp_region *region,
                                   unsigned n) {
    const struct fl_omp_member *outer = team->outer;
    bool may_be = fl_omp_spans(outer, region, n);
    team->measured = may_be && fl_omp_far.may_keep && outer->task->icvs.max_active_levels == 1 &&
                     binding(outer, region->flags) == FL_OMP_BIND_FALSE;
    return team->measured ? fl_omp_profit_distributes(region, n) : may_be;
}

void fl_omp_region_begin(const struct fl_omp_region *region) {
    struct fl_omp_member *outer = fl_omp_self();
    struct fl_omp_team *team = inner_team(outer);
    const struct fl_omp_icvs *icvs = &outer->task->icvs;
    unsigned n = reserve(team, icvs->thread_limit, size_of_region(outer, region->threads));
    bool far = fl_omp_spread() && is_distributed(team, region, n); /* once: it accounts */
    SET(team->far, far);
    fl_omp_hosts_begin(team);
    if (FL_UNLIKELY(team->far)) {
        leave_to_hosts(team, icvs->thread_limit);
        fl_omp_span_fork(region, n, icvs);
    }
    begin(team, region, n);
    if (FL_UNLIKELY(team->measured)) {
        fl_omp_profit_part_begins();
    }
}

static bool all_ended(void *context) {
    struct fl_omp_team *team = context;
    /* [A2] pairs [A1]. */
    return atomic_load_explicit(&team->ended, memory_order_seq_cst) == team->ended_then &&
           fl_omp_tasks_ended(team);
}

static void end(struct fl_omp_member *me) {
    struct fl_omp_team *team = me->team;
    fl_assert(me == team->members[0] && team->outer && team->outer->inner == team);
    fl_omp_task_implicit_end(me);
    fl_omp_wait_in_barrier(me, &team->end_bell, all_ended, team);
    if (FL_UNLIKELY(team->far)) {
        fl_omp_hosts_end(me);
    }
    fl_omp_me = team->outer;
}

void fl_omp_region_end(void) {
    struct fl_omp_team *team = fl_omp_me->team;
    if (FL_UNLIKELY(team->measured)) {
        fl_omp_profit_part_ended();
    }
    end(fl_omp_me);
    if (FL_UNLIKELY(team->far)) {
        fl_omp_far_join();
    }
    if (FL_UNLIKELY(team->measured)) {
        fl_omp_profit_region_ended();
    }
    release(team);
}

void fl_omp_region(const struct fl_omp_region *region) {
    uint64_t since = fl_omp_record_begin();
    fl_omp_region_begin(region);
    region->body(region->data);
    fl_omp_region_end();
    fl_omp_record_end(since, "region", "parallel", fl_omp_me->index, 0);
}

void fl_omp_region_part(const struct fl_omp_region *region, unsigned n,
                        const struct fl_omp_icvs *icvs) {
    struct fl_omp_member *outer = fl_omp_self();
    struct fl_omp_team *team = inner_team(outer);
    outer->task->icvs = *icvs;
    team->far = true;
    (void)reserve(team, icvs->thread_limit, n); /* as many as host 0 has */
    leave_to_hosts(team, icvs->thread_limit);
    fl_omp_hosts_begin(team);
    begin(team, region, n);
    region->body(region->data);
    end(fl_omp_me);
    release(team);
}
