/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tasks. Each member of a team executes an implicit task; explicit ones wait in the deque of the
 * member that made them until that member, or an idle one, executes them. OpenMP 5.1 §2.12.
 *
 * A task stays with the thread that began it. While it waits for children, its thread executes
 * descendants of it only, its own or those that it steals back (§2.12.6, task scheduling
 * constraint 2: else a task would wait for a lock that one below it on the stack holds); in a
 * barrier, any task of the team.
 *
 * No counter is shared by all threads for every task. Each thread counts its own tasks in plain
 * variables, with an atomic beside them for what other threads add; the team has no task left when
 * its members have ended as many, in sum, as they have made.
 *
 * Internal control variables belong to tasks.
 */
#ifndef FL_OMP_TASK_H
#define FL_OMP_TASK_H

#include "core/assert.h"
#include "core/mutex.h"
#include "core/wait.h"
#include "omp/deque.h"
#include "omp/icv.h"
#include "omp/pool.h"

#include <stddef.h>

struct fl_omp_member;
struct fl_omp_team;
struct fl_omp_depends;
struct fl_omp_node;
struct fl_omp_origin;
struct fl_kmp_reductions;
struct fl_omp_copies;

/* Unfinished tasks that a thread may wait for: the children of a task, or those of a taskgroup. */
struct fl_omp_count {
    struct fl_omp_member *owner; /* whose thread waits */
    int64_t here;                /* made, minus ended, on that thread */
    _Atomic int64_t elsewhere;   /* the same on other threads; all of it once the owner has left */
};

struct fl_omp_group {
    struct fl_omp_group *outer;
    struct fl_omp_count count;
    uintptr_t *outer_reductions;
    struct fl_kmp_reductions *combined; /* what the runtime itself combines at the end; null: nothing */
    _Atomic bool cancelled;
};

struct fl_omp_task {
    _Alignas(16) struct fl_omp_block block; /* not of implicit tasks */
    struct fl_omp_icvs icvs;
    struct fl_omp_group *group;
    uintptr_t *reductions; /* the innermost registered: reduction.c */
    bool final;
    bool deferred; /* counted by the parent, the group and the team */
    bool copied;   /* its body destroys objects constructed for it: runs even if cancelled */
    int32_t priority;
    struct fl_omp_member *member; /* that executes it */
    void (*body)(void *data);
    void *data;
    struct fl_omp_task *queued_next;

    /* Its place in the tree. A thief may read a block that is another task's already: `life`
     * tells. */
    _Atomic uint32_t life;
    _Atomic uint32_t parent_life;
    _Atomic uint32_t depth; /* 0: implicit */
    _Atomic uint32_t home;  /* of a deferred task that may migrate: 1 + its origin; 0: it may not */
    _Atomic(struct fl_omp_task *) parent;
    void *room; /* coherent memory for the data of each task in this block; may be null */

    /* Zeros from here on, unless the task has children or something special. Blocks are returned to
     * the pool in that state, so a new task need not write these. */
    struct fl_omp_count children;
    struct fl_omp_depends *depends; /* of its children on each other; null: no child has any */
    struct fl_omp_node *node;       /* what siblings depend on; null: nothing */
    void *outside;                  /* holds the data, if they do not fit in; null: they do */
    size_t bytes;                   /* of data in coherent memory, where tasks may migrate */
    struct fl_omp_origin *origin;   /* of a task of another host; null: of this one */
    _Atomic uint32_t holds;         /* detached: 2, less 1 each for the end of body and event */
    bool over;                      /* the body has ended, but something is left; for its thread */
    uint16_t align; /* a copy of the data has the same distance from a multiple of it */
};

enum {
    FL_OMP_TASK_BYTES = 384, /* of a task's block; behind the task are its data, if they fit */
    FL_OMP_SHORT_LOOPS = 8
};

/* The tasks of a member. */
struct fl_omp_tasker {
    struct fl_omp_pool pool;  /* of tasks */
    struct fl_omp_pool nodes; /* of depend.c */
    struct fl_omp_pool links;
    struct fl_omp_task *kept;     /* last undeferred child, for its parent's next one to reuse */
    int64_t floor;                /* the deque's bottom when the current task began */
    struct fl_omp_member *victim; /* member to steal from first; null: the next in the ring */
    bool helped;                  /* has executed tasks since it last looked whether all have ended */
    bool seeking;
    uint32_t yields; /* taskyields that have found no task */
    uint32_t naps; /* in a row, without finding a task */
    uint64_t reduced; /* constructs with task reductions that it has met in the region */
    bool has_been_full; /* the deque; since then no task was deferred */
    uint64_t open_ns;   /* when the deque was first seen to have room again; 0: not yet */
    uint64_t looked_ns; /* when the last batch of tasks that were executed at once began */
    unsigned measured;  /* tasks of that batch */
    bool brief;         /* that batch took little time */
    unsigned busy; /* tasks still to be executed at once before the next look at the deque */
    _Atomic bool wanted; /* an idle member has looked for tasks for long: look earlier */
    unsigned behind;  /* children made with unfinished predecessors since the last catch-up */
    unsigned in_vain; /* catch-ups in a row that were of no use: eager.c */
    void (*short_loops[FL_OMP_SHORT_LOOPS])(void *data); /* bodies of taskloops, by hash: eager.h */
    struct fl_wait_bell bell; /* for the member, when it waits for tasks */
    _Alignas(FL_CACHE_LINE) _Atomic(struct fl_omp_member *) next; /* the members in a ring */
    _Alignas(FL_CACHE_LINE) _Atomic uint64_t made; /* deferred tasks */
    _Atomic uint64_t ended;
    struct fl_omp_deque deque;
};

/* The tasks of a team. */
struct fl_omp_tasks {
    _Alignas(FL_CACHE_LINE) _Atomic bool used; /* there have been tasks since the region began */
    _Atomic uint32_t sleepers;                 /* members asleep, having found no task */
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t seekers; /* members awake and looking for tasks */
    _Atomic uint32_t calling;                  /* a sleeper has been called and is not up yet */
    _Atomic uint32_t call;                     /* the futex of sleepers: grows */
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t queued;
    struct fl_mutex lock;
    struct fl_omp_task *queue; /* ready, but in no deque; by priority, then by age */
    struct fl_omp_copies *copies; /* of constructs that members are in, the inner ones first */
    _Alignas(FL_CACHE_LINE) _Atomic uint64_t ended_outside; /* by threads outside of the team */
};

/* ---- for teams ---- */

/* Prepares a new member; frees the task data of a member that is freed. */
void fl_omp_tasker_begin(struct fl_omp_member *member);
void fl_omp_tasker_end(struct fl_omp_member *member);

/* Frees the copies of all constructs, which are over. */
FL_COLD void fl_omp_reductions_end(struct fl_omp_tasks *tasks);

/* No member executes a task, and a region begins. */
static inline void fl_omp_tasks_wipe(struct fl_omp_tasks *tasks) {
    fl_assert(!tasks->queue);
    /* Relaxed, twice: published with the region. */
    if (atomic_load_explicit(&tasks->used, memory_order_relaxed)) {
        atomic_store_explicit(&tasks->used, false, memory_order_relaxed);
    }
    if (FL_UNLIKELY(tasks->copies != NULL)) { /* of a cancelled region */
        fl_omp_reductions_end(tasks);
    }
}

/* Relaxed: a hint, but exact for threads that have seen the makers arrive at a barrier. */
static inline bool fl_omp_tasks_used(struct fl_omp_tasks *tasks) {
    return FL_UNLIKELY(atomic_load_explicit(&tasks->used, memory_order_relaxed));
}

/* Whether all explicit tasks of the member's team have ended, when all its members are in a barrier. */
bool fl_omp_tasks_ended_slow(struct fl_omp_member *any);

/* Waits in a barrier, executing tasks, until `reached`. The condition is read by seq_cst loads and,
 * once true, stays so; the thread that makes it true calls fl_omp_tasks_call. */
FL_COLD void fl_omp_task_wait_in_barrier(struct fl_omp_member *me, fl_wait_condition *reached,
                                         void *context);

FL_COLD void fl_omp_tasks_call_all(struct fl_omp_tasks *tasks);

static inline void fl_omp_tasks_call(struct fl_omp_tasks *tasks) {
    /* [K1] pairs [K2]: either this sees the sleeper, or it sees the change. */
    if (FL_UNLIKELY(atomic_load_explicit(&tasks->sleepers, memory_order_seq_cst))) {
        fl_omp_tasks_call_all(tasks);
    }
}

/* The member's implicit task ends, or a cancelled region does: frees what belonged to it. */
void fl_omp_task_implicit_end(struct fl_omp_member *me);

/* Cancels the taskgroup that the member's task is in, if any; whether it is cancelled. */
void fl_omp_taskgroup_cancel(struct fl_omp_member *me);
bool fl_omp_taskgroup_cancelled(const struct fl_omp_member *me);

/* Task reductions of a worksharing construct, which all members of the team meet. `data` is the
 * compiler's description; all members get the copies that the first one allocates. */
void fl_omp_reductions_begin(struct fl_omp_member *me, uintptr_t *data);

/* ---- among the files of tasks ---- */

/* What the compiler says of a task. */
struct fl_omp_task_spec {
    void (*body)(void *data);
    void *data;
    void (*copy)(void *to, void *from); /* null: bytes */
    size_t size, align;                 /* of the copy */
    unsigned flags;
    int priority;
    void **depend; /* with FL_OMP_TASK_DEPEND */
    void **event;  /* with FL_OMP_TASK_DETACH */
    uint64_t first, last; /* with `bounds`: go into the first words of the copy */
    bool bounds;
};

/* Bits of GOMP_task's and GOMP_taskloop's flags, as gcc emits them. */
enum {
    FL_OMP_TASK_UNTIED = 1,
    FL_OMP_TASK_FINAL = 2,
    FL_OMP_TASK_MERGEABLE = 4,
    FL_OMP_TASK_DEPEND = 8,
    FL_OMP_TASK_PRIORITY = 16,
    FL_OMP_TASK_UP = 256, /* of loops: counts up */
    FL_OMP_TASK_GRAINSIZE = 512,
    FL_OMP_TASK_IF = 1024,
    FL_OMP_TASK_NOGROUP = 2048,
    FL_OMP_TASK_REDUCTION = 4096,
    FL_OMP_TASK_DETACH = 8192,
    FL_OMP_TASK_STRICT = 16384
};

/* The member's current task makes a child. */
void fl_omp_task_make(struct fl_omp_member *me, const struct fl_omp_task_spec *spec, bool deferred);

/* The same in steps. fl_omp_task_new makes a task with room for head + size bytes at task->data,
 * which the caller fills in; the bytes after the first `head` are aligned. Then fl_omp_task_begin
 * starts it, with the flags, priority and dependences of the specification, or fl_omp_task_drop
 * frees it. False: the task has not begun, as the region or taskgroup is cancelled. */
struct fl_omp_task *fl_omp_task_new(struct fl_omp_member *me, void (*body)(void *data), size_t head,
                                    size_t size, size_t align, bool final);
/* Keeps the task on this host: its data must not be copied. */
static inline void fl_omp_task_stay(struct fl_omp_task *task) {
    /* Relaxed: no other thread knows it yet. */
    atomic_store_explicit(&task->home, 0, memory_order_relaxed);
}
bool fl_omp_task_begin(struct fl_omp_member *me, struct fl_omp_task *task,
                       const struct fl_omp_task_spec *spec, bool deferred);
void fl_omp_task_drop(struct fl_omp_member *me, struct fl_omp_task *task);

/* Or its maker executes the body itself, between these two; `entered` is what the first
 * returned. */
int64_t fl_omp_task_enter(struct fl_omp_member *me, struct fl_omp_task *task);
void fl_omp_task_exit(struct fl_omp_member *me, int64_t entered);

/* A loop in `n` pieces of `length` iterations, the first `longer` of them with one iteration
 * more. */
struct fl_omp_pieces {
    uint64_t start, end, step; /* modulo 2^64 */
    uint64_t n, length, longer;
};

/* Divides `n` iterations as grainsize or num_tasks ask for. */
void fl_omp_taskloop_divide(struct fl_omp_pieces *loop, uint64_t n, unsigned flags, uint64_t asked,
                            unsigned threads);
/* The pieces [from, to) of the loop. */
struct fl_omp_pieces fl_omp_taskloop_part(const struct fl_omp_pieces *loop, uint64_t from,
                                          uint64_t to);

/* Makes a task for each piece. Returns the nanoseconds that all pieces together are likely to take;
 * UINT64_MAX: unknown. */
uint64_t fl_omp_task_make_pieces(struct fl_omp_member *me, struct fl_omp_task_spec *spec,
                                 bool deferred, const struct fl_omp_pieces *loop);

/* Waits until `reached` (as above), executing descendants of the current task. The thread that
 * makes it true rings the member's bell. */
void fl_omp_task_wait(struct fl_omp_member *me, fl_wait_condition *reached, void *context);

void fl_omp_task_execute(struct fl_omp_member *me, struct fl_omp_task *task);

/* How many children of the thread's task have not ended. Relaxed: a hint, unless it is followed by
 * another look. */
static inline uint64_t fl_omp_task_children(struct fl_omp_task *task) {
    return (uint64_t)(task->children.here +
                      atomic_load_explicit(&task->children.elsewhere, memory_order_relaxed));
}

/* Executes a descendant of the current task that is ready, if there is one. */
bool fl_omp_task_run_below(struct fl_omp_member *me);

/* The team's queue, by priority: for ready tasks that a deque cannot take. */
void fl_omp_task_queue(struct fl_omp_team *team, struct fl_omp_task *task);
bool fl_omp_task_queue_full(struct fl_omp_tasks *tasks);
/* The first task of the queue that the filter accepts; null filter: any task. Null: there is none. */
struct fl_omp_task *fl_omp_task_unqueue(struct fl_omp_tasks *tasks, fl_omp_deque_filter *filter,
                                        const void *context);
bool fl_omp_task_queue_has(struct fl_omp_tasks *tasks, fl_omp_deque_filter *filter,
                           const void *context);

FL_COLD void fl_omp_tasks_call_one_slow(struct fl_omp_tasks *tasks, unsigned n);

/* There is a new task in a team of `n`: wakes a sleeper, if one is of use. */
static inline void fl_omp_tasks_call_one(struct fl_omp_tasks *tasks, unsigned n) {
    /* Relaxed: a member that falls asleep just now may be overlooked. It is called for the next
     * task, and this one is executed by its maker at the latest. */
    if (FL_UNLIKELY(atomic_load_explicit(&tasks->sleepers, memory_order_relaxed) != 0)) {
        fl_omp_tasks_call_one_slow(tasks, n);
    }
}

/* A deferred task is over. Null member: the caller is not of its team. */
void fl_omp_task_complete(struct fl_omp_member *me, struct fl_omp_task *task);

/* The program's handle for a detached task's event. */
void *fl_omp_event_of(struct fl_omp_task *task);

/* `asked`, limited by max-task-priority-var. */
int fl_omp_task_priority(int asked);

/* A task's predecessors have ended. Null member: the caller is not of the task's team. */
void fl_omp_task_ready(struct fl_omp_member *me, struct fl_omp_task *task);

/* ---- for tasks that go from host to host (migrate.h) ---- */

struct fl_omp_task_from {
    struct fl_omp_origin *origin;
    unsigned host; /* the origin */
    void (*body)(void *data);
    void *data, *outside;
    struct fl_omp_group *group; /* the stand-in for the origin's */
    const struct fl_omp_icvs *icvs;
    bool final;
};

/* For a member in a barrier: adds the task as if its implicit task had made it. */
void fl_omp_task_take_in(struct fl_omp_member *me, const struct fl_omp_task_from *from);

/* A task of the member's team has ended on another host, and with it, or later, its part of the
 * taskgroup; or it was taken in, and migrates again. Null member: the caller is not of that team. */
void fl_omp_task_return(struct fl_omp_member *me, struct fl_omp_task *task, bool with_group);
void fl_omp_group_return(struct fl_omp_member *me, struct fl_omp_group *group);

void fl_omp_group_begin(struct fl_omp_member *me, struct fl_omp_group *group);
void fl_omp_group_end(struct fl_omp_member *me, struct fl_omp_group *group);

/* The current task's children take part in the reductions that `data` describes. */
void fl_omp_reductions_register(struct fl_omp_member *me, uintptr_t *data);

/* Finds the innermost reductions around the member's task that name the variable, by its address or
 * by that of a thread's copy; returns the words that describe them (reduction.c), and the
 * variable's. */
enum {
    FL_OMP_RED_COUNT = 0,
    FL_OMP_RED_BYTES = 1,
    FL_OMP_RED_ALIGN = 2,
    FL_OMP_RED_COPIES = 2,
    FL_OMP_RED_OUTER = 4,
    FL_OMP_RED_ALL_BYTES = 5,
    FL_OMP_RED_VARIABLES = 7,
    FL_OMP_RED_WORDS = 3 /* of a variable: its address, its offset in a copy, the runtime's */
};
const uintptr_t *fl_omp_reduction_find(const struct fl_omp_member *me, uintptr_t address,
                                       const uintptr_t **variable);

#endif
