/* SPDX-License-Identifier: BSD-3-Clause */
/* See eager.h. */
#include "omp/eager.h"

#include "omp/migrate.h"
#include "omp/program.h"

enum {
    AHEAD = 64, /* ready tasks of a member beyond which it executes new ones at once */
    AHEAD_OF_HOSTS = 192, /* the same, if other hosts may take them, and they are not short */
    LEAST = 4 /* tasks of which the time is measured */
};

/* Tasks that a member executes at once before it looks at its deque again. */
static unsigned few_of(const struct fl_omp_member *me) {
    struct fl_omp_team *team = me->team;
    unsigned n = team->n < fl_omp_program.cpus ? team->n : fl_omp_program.cpus;
    unsigned few = AHEAD / 2 / (FL_UNLIKELY(fl_omp_team_agrees(team)) ? team->size : n);
    return few < LEAST ? LEAST : few;
}

/* The deque was full, and has room again. Returns how many tasks to execute at once until the next
 * look: the first time a few, to measure them; then 0, unless they were so short that handing one
 * over costs more. Even then one is deferred now and then, for later ones may take longer. */
static unsigned are_short(struct fl_omp_tasker *tasks, unsigned few, enum fl_omp_handing_over cost) {
    enum { NOW_AND_THEN_NS = 50000 };
    uint64_t now = fl_os_now_ns(), before = tasks->looked_ns;
    tasks->looked_ns = now;
    if (tasks->open_ns == 0) {
        tasks->open_ns = now;
        return tasks->measured = few;
    }
    tasks->brief = now - before < (uint64_t)tasks->measured * cost;
    if (!tasks->brief || now - tasks->open_ns > NOW_AND_THEN_NS) {
        tasks->open_ns = 0;
        return 0;
    }
    tasks->in_vain = 0;
    return tasks->measured = AHEAD / 2;
}

/* The next `n` tasks are executed at once, unless an idle member wants some from now on. */
static void begin_eager(struct fl_omp_member *me, unsigned n) {
    me->tasks.has_been_full = n > 0;
    me->tasks.busy = n;
    /* Relaxed: a hint. */
    atomic_store_explicit(&me->tasks.wanted, false, memory_order_relaxed);
}

/* A full deque is enough for others until they have taken about half of it. If the owner looked
 * more often, and replaced each task that a thief has just taken, the two would slow each other
 * down. */
bool fl_omp_eager_slow(struct fl_omp_member *me, enum fl_omp_handing_over cost) {
    struct fl_omp_tasker *tasks = &me->tasks;
    bool agrees = fl_omp_team_agrees(me->team);
    unsigned few = few_of(me);
    int64_t ahead = FL_UNLIKELY(agrees) && !tasks->brief ? AHEAD_OF_HOSTS : AHEAD;
    if (!fl_omp_deque_has_room(&tasks->deque, ahead)) {
        if (FL_UNLIKELY(agrees)) {
            fl_omp_migrate_step(me, false);
        }
        begin_eager(me, few);
        return true;
    }
    if (tasks->has_been_full) {
        begin_eager(me, are_short(tasks, few, cost));
    }
    return tasks->has_been_full;
}

bool fl_omp_eager_still(struct fl_omp_member *me, enum fl_omp_handing_over cost) {
    struct fl_omp_tasker *tasks = &me->tasks;
    uint64_t begun = tasks->measured - tasks->busy + 1;
    bool brief = tasks->open_ns != 0 && fl_os_now_ns() - tasks->looked_ns < begun * cost;
    tasks->open_ns = brief ? tasks->open_ns : 0;
    begin_eager(me, brief ? tasks->busy : 0);
    return brief;
}

/* Treats tasks as short until the next look. */
static void begin_short(struct fl_omp_member *me, uint64_t now) {
    struct fl_omp_tasker *tasks = &me->tasks;
    tasks->open_ns = tasks->looked_ns = now;
    tasks->measured = few_of(me);
    begin_eager(me, tasks->measured);
}

bool fl_omp_eager_late(struct fl_omp_member *me) {
    struct fl_omp_tasker *tasks = &me->tasks;
    uint64_t now = fl_os_now_ns(), before = tasks->looked_ns;
    tasks->looked_ns = now;
    if (now - before >= FL_OMP_AMONG_SIBLINGS_NS || fl_omp_team_agrees(me->team)) {
        return false;
    }
    begin_short(me, now);
    return true;
}

/* Executes ready descendants of the current task until none of its children is left. False: other
 * threads execute the rest, and take long. */
static bool catch_up(struct fl_omp_member *me) {
    enum { LOOKS = 8, FAST = 8, PATIENCE_NS = 2 * FAST * FL_OMP_AMONG_SIBLINGS_NS };
    uint64_t left, then = UINT64_MAX, until = 0;
    while ((left = fl_omp_task_children(me->task)) > 0) {
        uint64_t now = fl_os_now_ns();
        if (left + FAST <= then) {
            then = left;
            until = now + PATIENCE_NS;
        } else if (now > until) {
            return false;
        }
        if (!fl_omp_task_run_below(me)) {
            for (int i = 0; i < LOOKS; i++) {
                fl_os_relax();
            }
        }
    }
    return true;
}

void fl_omp_eager_behind(struct fl_omp_member *me) {
    enum { FIRST = 8, MOST_DOUBLINGS = 10 };
    struct fl_omp_tasker *tasks = &me->tasks;
    if (++tasks->behind < (unsigned)FIRST << tasks->in_vain) {
        return;
    }
    tasks->behind = 0;
    tasks->in_vain += tasks->in_vain < MOST_DOUBLINGS;
    if (catch_up(me)) {
        begin_short(me, fl_os_now_ns());
    }
}

/* ---- taskloops ---- */

enum { SHORT_LOOP_NS = 2500 }; /* about what it costs to wait for other threads' parts */

static void (**place_of(struct fl_omp_member *me, void (*body)(void *)))(void *) {
    const uint64_t golden = 0x9e3779b97f4a7c15; /* D. Knuth, TAOCP 3, 6.4: multiplicative hashing */
    return &me->tasks.short_loops[((uint64_t)(uintptr_t)body * golden >> 32) % FL_OMP_SHORT_LOOPS];
}

bool fl_omp_eager_loop(struct fl_omp_member *me, void (*body)(void *)) {
    return *place_of(me, body) == body;
}

bool fl_omp_eager_loop_takes(struct fl_omp_member *me, void (*body)(void *), uint64_t ns) {
    if (ns > SHORT_LOOP_NS) {
        *place_of(me, body) = NULL;
    }
    return ns <= SHORT_LOOP_NS;
}

void fl_omp_eager_loop_took(struct fl_omp_member *me, void (*body)(void *), uint64_t ns,
                            uint64_t pieces_ns) {
    enum { WITH_OTHERS = 4 }; /* the other threads may have been slow to start */
    if (fl_omp_eager_loop(me, body)) {
        fl_omp_eager_loop_takes(me, body, ns / 2);
    } else if (pieces_ns <= SHORT_LOOP_NS && ns <= WITH_OTHERS * SHORT_LOOP_NS) {
        *place_of(me, body) = body;
    }
}
