/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How members find tasks, and what they do when there is none: spin, yield, sleep. Only as many
 * sleepers are called as are of use: one for a new task, if a CPU is free and no member is looking
 * already; the last member that was looking and finds a task calls the next.
 */
#include "core/assert.h"
#include "omp/depend.h"
#include "omp/migrate.h"
#include "omp/program.h"
#include "omp/task.h"
#include "omp/team.h"
#include "omp/watch.h"

#include <stdlib.h>

enum {
    MOST_SPINS = 4000, /* whatever the policy: on a busy machine makers of tasks need the CPU */
    LOOKS = 8,      /* polls of the condition between two attempts to find a task */
    LONG = 256, /* attempts after which makers of tasks are told: want */
    NAP_NS = 500000, /* a sleeper is not called for every task that it may execute */
    MOST_DOUBLINGS = 7 /* of naps in a barrier */
};

/* ---- members ---- */

void fl_omp_tasker_begin(struct fl_omp_member *member) {
    fl_omp_pool_begin(&member->tasks.pool, FL_OMP_TASK_BYTES);
    fl_omp_depends_begin(member);
    member->implicit.children.owner = member;
    member->implicit.member = member;
    struct fl_omp_member *first = member->index > 0 ? member->team->members[0] : member;
    /* Relaxed: others learn of the member by [J1]. */
    atomic_store_explicit(&member->tasks.next, first, memory_order_relaxed);
    if (member != first) {
        struct fl_omp_member *last = member->team->members[member->index - 1];
        /* [J1] pairs [J2]: a worker between two regions may go round. */
        atomic_store_explicit(&last->tasks.next, member, memory_order_release);
    }
}

static void free_room(void *block) {
    struct fl_omp_task *task = block;
    free(task->room);
}

void fl_omp_tasker_end(struct fl_omp_member *member) {
    fl_omp_pool_end(&member->tasks.pool, free_room);
    fl_omp_pool_end(&member->tasks.nodes, NULL);
    fl_omp_pool_end(&member->tasks.links, NULL);
}

/* ---- the queue ---- */

enum { QUEUE_FULL = 256 };

bool fl_omp_task_queue_full(struct fl_omp_tasks *tasks) {
    /* Relaxed: a hint. */
    return atomic_load_explicit(&tasks->queued, memory_order_relaxed) >= QUEUE_FULL;
}

static void enqueue(struct fl_omp_tasks *tasks, struct fl_omp_task *task) {
    fl_assert(task->deferred && !task->over);
    fl_mutex_lock(&tasks->lock);
    struct fl_omp_task **place = &tasks->queue;
    while (*place && (*place)->priority >= task->priority) {
        place = &(*place)->queued_next;
    }
    task->queued_next = *place;
    *place = task;
    atomic_fetch_add_explicit(&tasks->queued, 1, memory_order_relaxed);
    fl_mutex_unlock(&tasks->lock);
}

void fl_omp_task_queue(struct fl_omp_team *team, struct fl_omp_task *task) {
    enqueue(&team->tasks, task);
    fl_omp_tasks_call_one(&team->tasks, team->n);
}

/* ---- which tasks a member may execute ---- */

/* Whether the task descends from the other, as far as can be seen: the blocks of ended ancestors
 * may be other tasks' already, which `life` shows, and the walk is limited. The task's block may
 * be, too: see fl_omp_deque_filter. All relaxed: if the answer matters, the thief has seen all of
 * the task. */
static bool descends(const struct fl_omp_task *task, const void *context) {
    enum { GENERATIONS = 64 };
    const struct fl_omp_task *ancestor = context;
    uint32_t least = atomic_load_explicit(&ancestor->depth, memory_order_relaxed);
    for (int i = 0; i < GENERATIONS; i++) {
        if (atomic_load_explicit(&task->depth, memory_order_relaxed) <= least) {
            return false;
        }
        uint32_t life = atomic_load_explicit(&task->parent_life, memory_order_relaxed);
        task = atomic_load_explicit(&task->parent, memory_order_relaxed);
        if (!task || atomic_load_explicit(&task->life, memory_order_relaxed) != life) {
            return false;
        }
        if (task == ancestor) {
            return true;
        }
    }
    return false;
}

/* The caller has the lock. The place of the first task of the queue that the filter accepts (null:
 * any task). */
static struct fl_omp_task **place_in(struct fl_omp_tasks *tasks, fl_omp_deque_filter *filter,
                                     const void *context) {
    struct fl_omp_task **place = &tasks->queue;
    while (*place && filter && !filter(*place, context)) {
        place = &(*place)->queued_next;
    }
    return place;
}

bool fl_omp_task_queue_has(struct fl_omp_tasks *tasks, fl_omp_deque_filter *filter,
                           const void *context) {
    fl_mutex_lock(&tasks->lock);
    bool has = *place_in(tasks, filter, context) != NULL;
    fl_mutex_unlock(&tasks->lock);
    return has;
}

FL_COLD struct fl_omp_task *fl_omp_task_unqueue(struct fl_omp_tasks *tasks,
                                                fl_omp_deque_filter *filter, const void *context) {
    fl_mutex_lock(&tasks->lock);
    struct fl_omp_task **place = place_in(tasks, filter, context), *task = *place;
    if (task) {
        *place = task->queued_next;
        uint32_t queued = atomic_fetch_sub_explicit(&tasks->queued, 1, memory_order_relaxed);
        fl_assert(queued > 0 && (queued > 1 || !tasks->queue));
    }
    fl_mutex_unlock(&tasks->lock);
    return task;
}

static inline struct fl_omp_member *next_of(struct fl_omp_member *member) {
    /* [J2] pairs [J1]. */
    return atomic_load_explicit(&member->tasks.next, memory_order_acquire);
}

static struct fl_omp_task *from_others(struct fl_omp_member *me,
                                       const struct fl_omp_task *ancestor) {
    struct fl_omp_member *first = me->tasks.victim ? me->tasks.victim : next_of(me);
    struct fl_omp_member *victim = first;
    do {
        struct fl_omp_task *task =
            victim == me ? NULL
                         : fl_omp_deque_steal(&victim->tasks.deque, ancestor ? descends : NULL,
                                              ancestor);
        if (task) {
            me->tasks.victim = victim;
            return task;
        }
        victim = next_of(victim);
    } while (victim != first);
    return NULL;
}

static inline struct fl_omp_task *find(struct fl_omp_member *me,
                                       const struct fl_omp_task *ancestor) {
    struct fl_omp_tasks *tasks = &me->team->tasks;
    struct fl_omp_task *task = NULL;
    /* Relaxed: a hint. */
    if (FL_UNLIKELY(atomic_load_explicit(&tasks->queued, memory_order_relaxed) != 0)) {
        task = fl_omp_task_unqueue(tasks, ancestor ? descends : NULL, ancestor);
    }
    if (!task) {
        task = fl_omp_deque_take(&me->tasks.deque, me->tasks.floor);
    }
    return task ? task : from_others(me, ancestor);
}

bool fl_omp_task_run_below(struct fl_omp_member *me) {
    struct fl_omp_task *task = find(me, me->task);
    if (!task) {
        return false;
    }
    fl_omp_task_execute(me, task);
    return true;
}

/* Whether the member has a part in the region, as far as it knows. A worker between two regions may
 * get a task of the next: the task's maker has seen the new state, the worker has not. Relaxed: the
 * maker of a task that the member has taken has seen the state change. */
static inline bool takes_part(const struct fl_omp_member *me) {
    uint64_t state = atomic_load_explicit(&me->team->state, memory_order_relaxed);
    return me->index == 0 ||
           (state == me->state && me->index < ((unsigned)state & FL_OMP_MOST_THREADS));
}

static void make_ready(struct fl_omp_member *me, struct fl_omp_team *team,
                       struct fl_omp_task *task) {
    if (me && task->priority == 0 &&
        fl_omp_deque_has_room(&me->tasks.deque, FL_OMP_DEQUE_SLOTS)) {
        fl_omp_deque_put(&me->tasks.deque, task);
        fl_omp_tasks_call_one(&team->tasks, team->n);
    } else {
        fl_omp_task_queue(team, task);
    }
}

void fl_omp_task_ready(struct fl_omp_member *me, struct fl_omp_task *task) {
    struct fl_omp_task *parent = atomic_load_explicit(&task->parent, memory_order_relaxed);
    struct fl_omp_team *team = me ? me->team : parent->children.owner->team;
    make_ready(me, team, task);
    if (FL_UNLIKELY(fl_omp_team_agrees(team))) {
        fl_omp_migrate_made_ready();
    }
}

/* ---- calls ---- */

void fl_omp_tasks_call_all(struct fl_omp_tasks *tasks) {
    atomic_fetch_add_explicit(&tasks->call, 1, memory_order_seq_cst); /* [K3] pairs [K4]. */
    fl_os_futex_wake(&tasks->call, INT32_MAX);
}

void fl_omp_tasks_call_one_slow(struct fl_omp_tasks *tasks, unsigned n) {
    /* Relaxed, all three: a task that is overlooked is executed by its maker at the latest. */
    uint32_t sleepers = atomic_load_explicit(&tasks->sleepers, memory_order_relaxed);
    if (n >= sleepers + fl_omp_program.cpus) {
        return; /* members that are awake have all CPUs; if they block, naps end */
    }
    uint32_t calling = atomic_load_explicit(&tasks->calling, memory_order_relaxed);
    if (calling || atomic_load_explicit(&tasks->seekers, memory_order_relaxed) != 0) {
        return;
    }
    if (atomic_compare_exchange_strong_explicit(&tasks->calling, &calling, 1, memory_order_relaxed,
                                                memory_order_relaxed)) {
        atomic_fetch_add_explicit(&tasks->call, 1, memory_order_seq_cst); /* [K3] */
        fl_os_futex_wake(&tasks->call, 1);
    }
}

/* Relaxed, both: only fl_omp_tasks_call_one_slow reads it, see there. */
static void seek(struct fl_omp_member *me) {
    if (!me->tasks.seeking) {
        me->tasks.seeking = true;
        atomic_fetch_add_explicit(&me->team->tasks.seekers, 1, memory_order_relaxed);
    }
}

static bool stop_seeking(struct fl_omp_member *me) {
    fl_assert(me->tasks.seeking);
    me->tasks.seeking = false;
    uint32_t seekers =
        atomic_fetch_sub_explicit(&me->team->tasks.seekers, 1, memory_order_relaxed);
    fl_assert(seekers > 0);
    return seekers == 1;
}

/* ---- the end of all tasks ---- */

bool fl_omp_tasks_ended_slow(struct fl_omp_member *any) {
    struct fl_omp_member *member = any;
    /* [E2] pairs [E1], [E3], [E4]. First what has ended, then what was made: if these are the same,
     * nothing was left in between. Sequentially consistent, as is [E4]: of two members that end the
     * last tasks, one sees both. */
    uint64_t ended = atomic_load_explicit(&any->team->tasks.ended_outside, memory_order_seq_cst);
    do {
        ended += atomic_load_explicit(&member->tasks.ended, memory_order_seq_cst);
        member = next_of(member);
    } while (member != any);
    uint64_t made = 0;
    do {
        made += atomic_load_explicit(&member->tasks.made, memory_order_seq_cst);
        member = next_of(member);
    } while (member != any);
    fl_assert(made >= ended);
    return made == ended;
}

/* A member that has executed tasks and finds no further one wakes the threads that wait for the end
 * of all tasks. */
static void tell_ended(struct fl_omp_member *me) {
    if (!me->tasks.helped) {
        return;
    }
    me->tasks.helped = false;
    uint64_t ended = atomic_load_explicit(&me->tasks.ended, memory_order_relaxed); /* its own */
    atomic_exchange_explicit(&me->tasks.ended, ended, memory_order_seq_cst); /* [E4] pairs [E2]. */
    if (fl_omp_tasks_ended_slow(me)) {
        fl_omp_ring(me->team);
    }
}

/* Executes any task of the team; for members in a barrier. A member without a part in the region
 * does not look for any: while it held a task, no other member could find that. */
static bool run(struct fl_omp_member *me) {
    struct fl_omp_task *task = takes_part(me) ? find(me, NULL) : NULL;
    if (!task) {
        tell_ended(me);
        return false;
    }
    if (FL_UNLIKELY(!takes_part(me))) {
        enqueue(&me->team->tasks, task);
        fl_omp_tasks_call(&me->team->tasks);
        return false;
    }
    if (me->tasks.seeking && stop_seeking(me)) {
        fl_omp_tasks_call_one(&me->team->tasks, me->team->n);
    }
    me->tasks.naps = 0;
    me->tasks.helped = true;
    fl_assert(me->task == &me->implicit);
    fl_omp_task_execute(me, task);
    return true;
}

/* ---- waiting ---- */

struct goal {
    fl_wait_condition *reached;
    void *context;
};

static inline bool at(struct goal goal) {
    return goal.reached(goal.context);
}

/* One step of a wait without a task; false: it is time to sleep. */
static bool patient(const struct fl_omp_member *me, struct goal goal, uint32_t vain) {
    uint32_t spins = me->policy.spins < MOST_SPINS ? me->policy.spins : MOST_SPINS;
    if (vain * LOOKS < spins) {
        for (int i = 0; i < LOOKS && !at(goal); i++) {
            fl_os_relax();
        }
        return true;
    }
    return vain * LOOKS < spins + me->policy.yields * LOOKS && fl_wait_yield();
}

/* Tells members that execute the tasks they make at once that an idle member wants some. */
static void want(struct fl_omp_member *me) {
    for (struct fl_omp_member *maker = next_of(me); takes_part(me) && maker != me;
         maker = next_of(maker)) {
        /* Relaxed, both: a hint. */
        if (!atomic_load_explicit(&maker->tasks.wanted, memory_order_relaxed)) {
            atomic_store_explicit(&maker->tasks.wanted, true, memory_order_relaxed);
        }
    }
}

static void sleep_in_barrier(struct fl_omp_member *me, struct goal goal) {
    struct fl_omp_tasks *tasks = &me->team->tasks;
    stop_seeking(me);
    /* [K2] pairs [K1]. */
    atomic_fetch_add_explicit(&tasks->sleepers, 1, memory_order_seq_cst);
    /* [K4] pairs [K3]: from here on, a call changes the word and ends the sleep. */
    uint32_t call = atomic_load_explicit(&tasks->call, memory_order_seq_cst);
    if (at(goal) || run(me)) {
        me->tasks.naps = 0;
    } else {
        uint32_t doublings = me->tasks.naps < MOST_DOUBLINGS ? me->tasks.naps : MOST_DOUBLINGS;
        me->tasks.naps++;
        want(me);
        fl_os_futex_wait_timeout(&tasks->call, call, (uint64_t)NAP_NS << doublings);
    }
    uint32_t sleepers = atomic_fetch_sub_explicit(&tasks->sleepers, 1, memory_order_relaxed);
    fl_assert(sleepers > 0);
    atomic_store_explicit(&tasks->calling, 0, memory_order_relaxed); /* as its readers */
}

void fl_omp_task_wait_in_barrier(struct fl_omp_member *me, fl_wait_condition *reached,
                                 void *context) {
    struct goal goal = {reached, context};
    for (uint32_t vain = 0; !at(goal); vain++) {
        bool agrees = fl_omp_team_agrees(me->team) && takes_part(me);
        if (fl_omp_spread() && (agrees || !fl_omp_team_agrees(me->team))) {
            fl_omp_migrate_step(me, true);
        }
        if (run(me)) {
            vain = 0;
            continue;
        }
        seek(me);
        if (vain % LONG == LONG - 1) {
            want(me);
        }
        if (!patient(me, goal, vain)) {
            if (FL_UNLIKELY(agrees)) {
                fl_omp_migrate_hungry(FL_OMP_FOR_ANY);
            }
            sleep_in_barrier(me, goal);
        }
    }
    if (me->tasks.seeking) {
        stop_seeking(me);
    }
}

static void nap(struct fl_omp_member *me, struct goal goal) {
    _Atomic uint32_t *rings = &me->tasks.bell.rings;
    /* [K5] pairs fl_wait_ring. */
    uint32_t asleep = FL_WAIT_SLEEPING |
                      atomic_fetch_or_explicit(rings, FL_WAIT_SLEEPING, memory_order_seq_cst);
    if (!at(goal)) {
        fl_os_futex_wait_timeout(rings, asleep, NAP_NS);
    }
    /* Relaxed: no other thread sleeps there. */
    atomic_fetch_and_explicit(rings, ~(uint32_t)FL_WAIT_SLEEPING, memory_order_relaxed);
}

void fl_omp_task_wait(struct fl_omp_member *me, fl_wait_condition *reached, void *context) {
    struct goal goal = {reached, context};
    bool slow = false;
    for (uint32_t vain = 0; !at(goal); vain++) {
        fl_omp_migrate_look(me);
        if (fl_omp_task_run_below(me)) {
            vain = 0;
        } else if (!patient(me, goal, vain)) {
            if (!slow) {
                slow = true;
                fl_omp_wait_begin("the end of tasks", me->number);
            }
            if (FL_UNLIKELY(fl_omp_team_agrees(me->team))) {
                fl_omp_migrate_hungry(FL_OMP_FOR_OWN);
            }
            nap(me, goal);
        }
    }
    if (slow) {
        fl_omp_wait_end();
    }
}
