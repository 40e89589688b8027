/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tasks. Each member of a team executes an implicit task; explicit ones wait in the deque of the
 * member that made them until it, or another that is idle, executes them. OpenMP 5.1 §2.12.
 *
 * A task stays with the thread that began it. While it waits for children, its thread executes
 * descendants of it only, its own or those that it steals back (§2.12.6, task scheduling
 * constraint 2: else a task would wait for a lock that one below it on the stack holds); in a
 * barrier, any task of the team.
 *
 * No counter is changed for every task by all threads. What a thread counts for itself is plain,
 * and what others add to it stands beside; that a team has no task left is seen by adding up what
 * each member has made and ended.
 *
 * Internal control variables belong to tasks.
 */
#ifndef FL_OMP_TASK_H
#define FL_OMP_TASK_H

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

/* Tasks that are waited for: the children of one, or the members of a taskgroup. */
struct fl_omp_count {
    struct fl_omp_member *owner; /* whose thread waits */
    int64_t here;                /* made, minus ended, on that thread */
    _Atomic int64_t elsewhere;   /* the same on others; it alone, when the owner has left it */
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
    bool copied;   /* objects were constructed for it, which its body destroys: begins if cancelled, too */
    int32_t priority;
    struct fl_omp_member *member; /* that executes it */
    void (*body)(void *data);
    void *data;
    struct fl_omp_task *queued_next;

    /* Where it stands. Thieves look at tasks that may be over, hence the number of its life. */
    _Atomic uint32_t life;
    _Atomic uint32_t parent_life;
    _Atomic uint32_t depth; /* 0: implicit */
    _Atomic(struct fl_omp_task *) parent;
    atomic_bool movable; /* may be executed on another host: of deferred ones, where there are others */
    void *room; /* the program's memory for the data of tasks in this block, one by one; may be null */

    /* Zeros from here on, as long as there are no children and nothing special: so it begins, and so
     * it is left. */
    struct fl_omp_count children;
    struct fl_omp_depends *depends; /* of its children on each other; null: no child has any */
    struct fl_omp_node *node;       /* what siblings depend on; null: nothing */
    void *outside;                  /* holds the data, if they do not fit in; null: they do */
    size_t bytes;                   /* of data that are the program's memory; there may be others */
    struct fl_omp_origin *origin;   /* of a task of another host; null: of this one */
    _Atomic uint32_t holds;         /* a detached task: 2, minus what has happened of body and event */
    bool over;                      /* the body has ended, but something is left; for its thread */
    uint16_t align; /* a copy of the data stands as far from a multiple of it */
};

enum { FL_OMP_SHORT_LOOPS = 8 };

/* Of a member. */
struct fl_omp_tasker {
    struct fl_omp_pool pool;  /* of tasks */
    struct fl_omp_pool nodes; /* of depend.c */
    struct fl_omp_pool links;
    struct fl_omp_task *kept;     /* executed at once, for the next such child of the same task */
    int64_t floor;                /* the deque's bottom when the current task began */
    struct fl_omp_member *victim; /* from whom to steal first; null: the next */
    bool helped;                  /* has executed tasks since it last looked whether all have ended */
    bool seeking;
    uint32_t yields; /* taskyields that have found no task */
    uint32_t naps; /* in a row, without finding a task */
    uint64_t reduced; /* constructs with task reductions that it has met in the region */
    bool has_been_full; /* the deque, since tasks were put there last */
    uint64_t open_ns;   /* when it was seen that it is no longer; 0: that has not been seen */
    uint64_t looked_ns; /* when the last tasks that were executed at once began, */
    unsigned measured;  /* which are so many; */
    bool brief;         /* they took little time */
    unsigned busy; /* so many more tasks are executed at once, before it looks for room again, */
    _Atomic bool wanted; /* unless another has looked for tasks for long, in vain */
    unsigned behind;  /* tasks made that wait for siblings, since it has waited for those, too */
    unsigned in_vain; /* how often in a row that has been of no use */
    void (*short_loops[FL_OMP_SHORT_LOOPS])(void *data); /* bodies of taskloops, by hash: eager.h */
    struct fl_wait_bell bell; /* waits for children */
    _Alignas(FL_CACHE_LINE) _Atomic(struct fl_omp_member *) next; /* the members in a ring */
    _Alignas(FL_CACHE_LINE) _Atomic uint64_t made; /* deferred tasks */
    _Atomic uint64_t ended;
    struct fl_omp_deque deque;
};

/* Of a team. */
struct fl_omp_tasks {
    _Alignas(FL_CACHE_LINE) _Atomic bool used; /* there have been tasks since the region began */
    _Atomic uint32_t sleepers;                 /* who would execute tasks, but found none */
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t seekers; /* awake and looking for tasks */
    _Atomic uint32_t calling;                  /* a sleeper has been called and is not up yet */
    _Atomic uint32_t call;                     /* on which they sleep */
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t queued;
    struct fl_mutex lock;
    struct fl_omp_task *queue; /* ready, in nobody's deque; by priority, then by age */
    struct fl_omp_copies *copies; /* of constructs that members are in, the inner ones first */
    _Alignas(FL_CACHE_LINE) _Atomic uint64_t ended_outside; /* by threads outside of the team */
};

/* ---- for teams ---- */

/* A new member; the member that goes. */
void fl_omp_tasker_begin(struct fl_omp_member *member);
void fl_omp_tasker_end(struct fl_omp_member *member);

/* All constructs are over. */
FL_COLD void fl_omp_reductions_end(struct fl_omp_tasks *tasks);

/* No member executes a task, and a region begins. */
static inline void fl_omp_tasks_wipe(struct fl_omp_tasks *tasks) {
    /* Relaxed, twice: published with the region. */
    if (atomic_load_explicit(&tasks->used, memory_order_relaxed)) {
        atomic_store_explicit(&tasks->used, false, memory_order_relaxed);
    }
    if (FL_UNLIKELY(tasks->copies != NULL)) { /* of a cancelled region */
        fl_omp_reductions_end(tasks);
    }
}

/* Relaxed: a hint for all but those who see the makers arrive at a barrier. */
static inline bool fl_omp_tasks_used(struct fl_omp_tasks *tasks) {
    return FL_UNLIKELY(atomic_load_explicit(&tasks->used, memory_order_relaxed));
}

/* Whether all explicit tasks of the member's team have ended, when all its members are in a barrier. */
bool fl_omp_tasks_ended_slow(struct fl_omp_member *any);

/* Waits in a barrier, executing tasks, until it has been reached: seq_cst loads say so, and it stays
 * so. Who makes it true calls fl_omp_tasks_call. */
FL_COLD void fl_omp_task_wait_in_barrier(struct fl_omp_member *me, fl_wait_condition *reached,
                                         void *context);

FL_COLD void fl_omp_tasks_call_all(struct fl_omp_tasks *tasks);

static inline void fl_omp_tasks_call(struct fl_omp_tasks *tasks) {
    /* [K1] pairs [K2]: either this sees the sleeper, or it sees the change. */
    if (FL_UNLIKELY(atomic_load_explicit(&tasks->sleepers, memory_order_seq_cst))) {
        fl_omp_tasks_call_all(tasks);
    }
}

/* The member's implicit task ends, or a cancelled region does: what belonged to it goes. */
void fl_omp_task_implicit_end(struct fl_omp_member *me);

/* The taskgroup that the member's task is in, if any. */
void fl_omp_taskgroup_cancel(struct fl_omp_member *me);
bool fl_omp_taskgroup_cancelled(const struct fl_omp_member *me);

/* Task reductions of a worksharing construct, which all members of the team meet: `data` is what
 * the compiler describes them by, of which those who come later get the first's memory. */
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

/* The same in steps: a task with room for so much data, at task->data, that its maker fills in; those
 * behind the first `head` bytes are aligned. Then it begins, of which the specification says flags,
 * priority and dependences, or it is dropped. False: it has not begun, as the region or taskgroup is
 * cancelled. */
struct fl_omp_task *fl_omp_task_new(struct fl_omp_member *me, void (*body)(void *data), size_t head,
                                    size_t size, size_t align, bool final);
/* Its data must not be copied. */
static inline void fl_omp_task_stay(struct fl_omp_task *task) {
    /* Relaxed: nobody else knows it yet. */
    atomic_store_explicit(&task->movable, false, memory_order_relaxed);
}
bool fl_omp_task_begin(struct fl_omp_member *me, struct fl_omp_task *task,
                       const struct fl_omp_task_spec *spec, bool deferred);
void fl_omp_task_drop(struct fl_omp_member *me, struct fl_omp_task *task);

/* Or its maker executes it now, itself, between the two. */
int64_t fl_omp_task_enter(struct fl_omp_member *me, struct fl_omp_task *task);
void fl_omp_task_exit(struct fl_omp_member *me, int64_t entered);

/* A loop in so many pieces, the first `longer` of them with one iteration more than the others. */
struct fl_omp_pieces {
    uint64_t start, end, step; /* modulo 2^64 */
    uint64_t n, length, longer;
};

/* For `n` iterations, as grainsize or num_tasks ask for. */
void fl_omp_taskloop_divide(struct fl_omp_pieces *loop, uint64_t n, unsigned flags, uint64_t asked,
                            unsigned threads);
/* The pieces from one to before another, of those. */
struct fl_omp_pieces fl_omp_taskloop_part(const struct fl_omp_pieces *loop, uint64_t from,
                                          uint64_t to);

/* A task for each of them. Nanoseconds that they are likely to take together; UINT64_MAX: that is not
 * known. */
uint64_t fl_omp_task_make_pieces(struct fl_omp_member *me, struct fl_omp_task_spec *spec,
                                 bool deferred, const struct fl_omp_pieces *loop);

/* Waits until it has been reached (as above), executing descendants of the current task. Who makes
 * it true rings the member's bell. */
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

/* For tasks that are ready, but not in the order of a deque. */
void fl_omp_task_queue(struct fl_omp_team *team, struct fl_omp_task *task);
bool fl_omp_task_queue_full(struct fl_omp_tasks *tasks);

FL_COLD void fl_omp_tasks_call_one_slow(struct fl_omp_tasks *tasks, unsigned n);

/* There is a new task in a team of `n`. */
static inline void fl_omp_tasks_call_one(struct fl_omp_tasks *tasks, unsigned n) {
    /* Relaxed: who is overlooked when it falls asleep just now is called for the next task, and this
     * one is executed by its maker at the latest. */
    if (FL_UNLIKELY(atomic_load_explicit(&tasks->sleepers, memory_order_relaxed) != 0)) {
        fl_omp_tasks_call_one_slow(tasks, n);
    }
}

/* A deferred task is over. Null member: the caller is not of its team. */
void fl_omp_task_complete(struct fl_omp_member *me, struct fl_omp_task *task);

/* What the program knows a detached task's event by. */
void *fl_omp_event_of(struct fl_omp_task *task);

/* As max-task-priority-var allows. */
int fl_omp_task_priority(int asked);

/* A task's predecessors have ended. Null member: the caller is not of the task's team. */
void fl_omp_task_ready(struct fl_omp_member *me, struct fl_omp_task *task);

/* ---- for tasks that go from host to host (migrate.h) ---- */

struct fl_omp_task_from {
    struct fl_omp_origin *origin;
    void (*body)(void *data);
    void *data, *outside;
    struct fl_omp_group *group; /* in the place of that at home */
    const struct fl_omp_icvs *icvs;
    bool final;
};

/* For a member in a barrier, which has the task as if its implicit task had made it. */
void fl_omp_task_take_in(struct fl_omp_member *me, const struct fl_omp_task_from *from);

/* A task of the member's team has ended elsewhere; with it, or later, its part of the taskgroup. Null
 * member: the caller is not of that team. */
void fl_omp_task_return(struct fl_omp_member *me, struct fl_omp_task *task, bool with_group);
void fl_omp_group_return(struct fl_omp_member *me, struct fl_omp_group *group);

void fl_omp_group_begin(struct fl_omp_member *me, struct fl_omp_group *group);
void fl_omp_group_end(struct fl_omp_member *me, struct fl_omp_group *group);

/* The current task's children take part in the reductions that `data` describes. */
void fl_omp_reductions_register(struct fl_omp_member *me, uintptr_t *data);

/* Reductions are described by words (reduction.c): the innermost ones around the member's task that
 * name the variable, by its address or by that of somebody's copy, and its words. */
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
