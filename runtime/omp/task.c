/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of a task: made, executed, ended. See task.h; schedule.c has how members find tasks. */
#include "omp/task.h"

#include "core/assert.h"
#include "core/fatal.h"
#include "omp/depend.h"
#include "omp/eager.h"
#include "omp/migrate.h"
#include "omp/program.h"
#include "omp/recorder.h"
#include "omp/team.h"

#include <alloca.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEPT_BYTES = 128, /* of coherent memory that stay with each block */
    BUNDLES = 16 /* of a taskloop for each member: so members finish at about the same time */
};

static void *inside(struct fl_omp_task *task) {
    return task + 1;
}

enum { INSIDE_BYTES = FL_OMP_TASK_BYTES - sizeof(struct fl_omp_task) };
_Static_assert(INSIDE_BYTES >= 96, "few tasks need memory outside");

void fl_omp_task_implicit_end(struct fl_omp_member *me) {
    fl_assert(me->task == &me->implicit);
    if (FL_UNLIKELY(me->implicit.depends != NULL)) {
        fl_omp_depends_end(me, &me->implicit);
    }
    me->implicit.reductions = NULL;
    me->implicit.group = NULL;
    me->tasks.reduced = 0;
}

/* ---- memory ---- */

/* Whether the task's block is as the pool has it. */
static bool is_clear(struct fl_omp_task *task) {
    return task->children.here == 0 && !task->depends && !task->node && !task->outside &&
           !task->origin && !task->over &&
           /* Relaxed, both: no other thread has to do with the task any more. */
           atomic_load_explicit(&task->children.elsewhere, memory_order_relaxed) == 0 &&
           atomic_load_explicit(&task->holds, memory_order_relaxed) == 0;
}

static void put(struct fl_omp_member *me, struct fl_omp_task *task) {
    fl_assert(is_clear(task));
    /* Relaxed: thieves that see it late get no task by it. */
    uint32_t life = atomic_load_explicit(&task->life, memory_order_relaxed);
    atomic_store_explicit(&task->life, life + 1, memory_order_relaxed);
    fl_omp_pool_put(me ? &me->tasks.pool : NULL, task);
}

static FL_COLD void *room_outside(struct fl_omp_task *task, size_t size, size_t align) {
    align = align < sizeof(void *) ? sizeof(void *) : align;
    task->outside = FL_ALLOCATED(aligned_alloc(align, fl_round_up(size, align)),
                                 "%zu bytes of a task's data", size);
    return task->outside;
}

/* Tasks of other hosts may point to the data, and the task may migrate. Memory for few bytes stays
 * with the task's block. */
static FL_COLD void *room_outside_for_all(struct fl_omp_task *task, size_t size, size_t align) {
    bool small = size <= KEPT_BYTES && align <= FL_CACHE_LINE;
    void *memory =
        FL_ALLOCATED(fl_omp_far_alloc(small ? KEPT_BYTES : size, small ? FL_CACHE_LINE : align),
                     "%zu bytes of a task's data", size);
    *(small ? &task->room : &task->outside) = memory;
    return memory;
}

static void *room_for_all_hosts(struct fl_omp_task *task, size_t size, size_t align) {
    align = align < 16 ? 16 : align;
    task->bytes = size;
    task->align = (uint16_t)align;
    bool movable = size <= FL_OMP_MOVABLE_MOST && align <= FL_OMP_MOVABLE_MOST && !task->reductions;
    /* Relaxed: [T2] publishes it. */
    atomic_store_explicit(&task->home, movable ? fl_omp_far.me + 1 : 0, memory_order_relaxed);
    bool fits = size <= KEPT_BYTES && align <= FL_CACHE_LINE && task->room;
    return FL_LIKELY(fits) ? task->room : room_outside_for_all(task, size, align);
}

static inline void *room(struct fl_omp_member *me, struct fl_omp_task *task, size_t size,
                         size_t align) {
    if (FL_UNLIKELY(fl_omp_team_agrees(me->team))) {
        return room_for_all_hosts(task, size, align);
    }
    bool fits = size <= INSIDE_BYTES && align <= 16;
    return FL_LIKELY(fits) ? inside(task) : room_outside(task, size, align);
}

static void free_outside(struct fl_omp_task *task) {
    free(task->outside);
    task->outside = NULL;
}

/* All relaxed: a thread that takes the task from a deque sees it whole; a filter may see
 * anything. */
static inline struct fl_omp_task *new_task(struct fl_omp_member *me, bool final, bool deferred) {
    struct fl_omp_task *parent = me->task;
    struct fl_omp_task *task = fl_omp_pool_get(&me->tasks.pool);
    task->icvs = parent->icvs;
    task->group = parent->group;
    task->reductions = parent->reductions;
    task->final = final;
    task->deferred = deferred;
    task->copied = false;
    uint32_t life = atomic_load_explicit(&parent->life, memory_order_relaxed);
    uint32_t depth = atomic_load_explicit(&parent->depth, memory_order_relaxed);
    atomic_store_explicit(&task->parent_life, life, memory_order_relaxed);
    atomic_store_explicit(&task->depth, depth + 1, memory_order_relaxed);
    atomic_store_explicit(&task->parent, parent, memory_order_relaxed);
    return task;
}

/* Stores the event's handle for the program, and in the first word of the data for the body. */
static void detach(struct fl_omp_task *task, const struct fl_omp_task_spec *spec) {
    atomic_store_explicit(&task->holds, 2, memory_order_relaxed); /* the event is not known yet */
    *spec->event = fl_omp_event_of(task);
    memcpy(spec->data, spec->event, sizeof *spec->event);
}

/* ---- the end ---- */

/* Puts a task into the pool, after resetting to zero the fields that have changed. */
static void put_cleared(struct fl_omp_member *me, struct fl_omp_task *task) {
    task->children.here = 0;
    atomic_store_explicit(&task->children.elsewhere, 0, memory_order_relaxed); /* as put */
    task->over = false;
    put(me, task);
}

/* The task's thread leaves it, and no longer waits: frees it, or the last child to end does. */
static inline void leave(struct fl_omp_member *me, struct fl_omp_task *task) {
    int64_t here = task->children.here;
    fl_assert(here >= 0);
    if (FL_LIKELY(here == 0 && !task->over)) {
        put(me, task);
        return;
    }
    /* [N1] pairs [N2]: the thread that frees it sees that the others are done with it. */
    int64_t left = here + atomic_fetch_add_explicit(&task->children.elsewhere, here,
                                                    memory_order_acq_rel);
    fl_assert(left >= 0);
    if (left == 0) {
        put_cleared(me, task);
    }
}

static inline void end_in_parent(struct fl_omp_member *me, struct fl_omp_task *parent) {
    struct fl_omp_member *owner = parent->children.owner;
    if (FL_LIKELY(me == owner && !parent->over)) {
        fl_assert(parent->children.here > 0);
        parent->children.here--;
        return;
    }
    /* [N2] pairs [N1], [N3]. Before the ring: the parent has been seen asleep, or sees this. */
    if (atomic_fetch_sub_explicit(&parent->children.elsewhere, 1, memory_order_seq_cst) == 1) {
        put_cleared(me, parent); /* it had been left: before that the count is never positive */
    } else {
        fl_wait_ring(&owner->tasks.bell);
    }
}

static inline void end_in_group(struct fl_omp_member *me, struct fl_omp_group *group) {
    struct fl_omp_member *owner = group->count.owner;
    if (FL_LIKELY(me == owner)) {
        group->count.here--;
        return;
    }
    /* [N4] pairs [N3]. */
    int64_t before = atomic_fetch_sub_explicit(&group->count.elsewhere, 1, memory_order_seq_cst);
    if (FL_UNLIKELY(owner == &fl_omp_away)) {
        if (before == 1) {
            fl_omp_migrate_group_ended(group);
        }
        return;
    }
    fl_wait_ring(&owner->tasks.bell);
}

static FL_COLD void count_outside(struct fl_omp_team *team) {
    /* [E3] pairs [E2], as [E1]. */
    atomic_fetch_add_explicit(&team->tasks.ended_outside, 1, memory_order_seq_cst);
    fl_omp_ring(team);
}

/* A deferred task is over. Null member: the caller is not of its team, but holds it. */
static inline void complete(struct fl_omp_member *me, struct fl_omp_task *task) {
    struct fl_omp_task *parent = atomic_load_explicit(&task->parent, memory_order_relaxed);
    struct fl_omp_group *group = task->group;
    struct fl_omp_team *team = task->member->team;
    fl_assert(task->deferred && parent);
    if (FL_UNLIKELY(task->node != NULL)) {
        fl_omp_node_end(me, task->node);
        task->node = NULL;
    }
    leave(me, task);
    if (group) {
        end_in_group(me, group);
    }
    end_in_parent(me, parent);
    if (FL_UNLIKELY(!me)) {
        count_outside(team);
        return;
    }
    uint64_t ended = atomic_load_explicit(&me->tasks.ended, memory_order_relaxed); /* its own */
    /* [E1] pairs [E2]: a thread that sees the task ended sees what it wrote. */
    atomic_store_explicit(&me->tasks.ended, ended + 1, memory_order_release);
}

void fl_omp_task_complete(struct fl_omp_member *me, struct fl_omp_task *task) {
    struct fl_omp_team *team = task->member->team;
    if (!me) {
        fl_omp_team_hold(team); /* a thread that has waited for the task may end the team */
    }
    complete(me, task);
    if (!me) {
        fl_omp_team_release(team);
    }
}

/* The body of a task that is not plain has returned. Whether the task is over. */
static FL_COLD bool end_special(struct fl_omp_member *me, struct fl_omp_task *task) {
    task->over = true;
    free_outside(task);
    if (task->depends) {
        fl_omp_depends_end(me, task);
    }
    if (task->origin) {
        fl_omp_migrate_ended(task);
    }
    return atomic_load_explicit(&task->holds, memory_order_relaxed) == 0 ||
           /* [F1] pairs itself: the second sees what the first wrote. */
           atomic_fetch_sub_explicit(&task->holds, 1, memory_order_acq_rel) == 1;
}

/* Whether nothing but the body's end is left. Relaxed: a task that is not detached has no event. */
static inline bool is_plain(struct fl_omp_task *task) {
    return FL_LIKELY(task->children.here == 0 && !task->depends && !task->outside &&
                     atomic_load_explicit(&task->holds, memory_order_relaxed) == 0);
}

/* ---- execution ---- */

/* Relaxed: cancellation stops tasks that begin after it has been seen. */
bool fl_omp_taskgroup_cancelled(const struct fl_omp_member *me) {
    const struct fl_omp_group *group = me->task->group;
    return group && atomic_load_explicit(&group->cancelled, memory_order_relaxed);
}

static inline bool is_cancelled(const struct fl_omp_member *me) {
    uint32_t cancelled = atomic_load_explicit(&me->team->cancelled, memory_order_relaxed);
    return FL_UNLIKELY(cancelled & FL_OMP_CANCEL_PARALLEL) || fl_omp_taskgroup_cancelled(me);
}

static inline void run_body(struct fl_omp_member *me, struct fl_omp_task *task,
                            void (*body)(void *), void *data) {
    struct fl_omp_task *outer = me->task;
    int64_t floor = me->tasks.floor;
    fl_assert(task != outer && !task->over && task->children.here == 0);
    task->member = me;
    task->children.owner = me;
    me->task = task;
    me->tasks.floor = fl_omp_deque_bottom(&me->tasks.deque);
    if (FL_LIKELY(!task->deferred || !is_cancelled(me)) || task->copied) {
        body(data);
    }
    fl_assert(me->task == task && fl_omp_deque_bottom(&me->tasks.deque) >= me->tasks.floor);
    me->tasks.floor = floor;
    me->task = outer;
}

void fl_omp_task_execute(struct fl_omp_member *me, struct fl_omp_task *task) {
    uint64_t since = fl_omp_record_task_begin();
    run_body(me, task, task->body, task->data);
    if (FL_UNLIKELY(since)) {
        fl_omp_record_task_ended(since, fl_omp_migrate_has_moved(task), me->index);
    }
    if (is_plain(task) || end_special(me, task)) {
        complete(me, task);
    }
}

/* ---- undeferred tasks: executed by their maker at once ---- */

/* Relaxed, all of it: the thread's own tasks. */
static inline bool is_made_by(const struct fl_omp_task *task, const struct fl_omp_task *parent) {
    return atomic_load_explicit(&task->parent, memory_order_relaxed) == parent &&
           atomic_load_explicit(&task->parent_life, memory_order_relaxed) ==
               atomic_load_explicit(&parent->life, memory_order_relaxed);
}

/* The last undeferred child, to be reused for another body. Null: there is none that would do. */
static inline struct fl_omp_task *take_kept(struct fl_omp_member *me, bool final) {
    struct fl_omp_task *task = me->tasks.kept, *parent = me->task;
    if (!task || task->final != final || !is_made_by(task, parent)) {
        return NULL;
    }
    fl_assert(!task->deferred && is_clear(task));
    me->tasks.kept = NULL;
    task->icvs = parent->icvs;
    task->group = parent->group;
    task->reductions = parent->reductions;
    return task;
}

static inline void keep(struct fl_omp_member *me, struct fl_omp_task *task) {
    struct fl_omp_task *former = me->tasks.kept;
    me->tasks.kept = task;
    if (former) {
        put(me, former);
    }
}

static inline struct fl_omp_task *task_for_now(struct fl_omp_member *me, bool final) {
    struct fl_omp_task *task = take_kept(me, final);
    return FL_LIKELY(task != NULL) ? task : new_task(me, final, false);
}

/* Executes the body. Whether the task can be used again. */
static inline bool run_now(struct fl_omp_member *me, struct fl_omp_task *task,
                           void (*body)(void *), void *data) {
    run_body(me, task, body, data);
    if (is_plain(task)) {
        return true;
    }
    if (end_special(me, task)) {
        leave(me, task);
    }
    return false;
}

/* Without clauses that matter here. The data need not be copied. */
static inline void include_plain(struct fl_omp_member *me, void (*body)(void *), void *data,
                                 bool final) {
    struct fl_omp_task *task = task_for_now(me, final);
    if (run_now(me, task, body, data)) {
        keep(me, task);
    }
}

static inline void set_bounds(void *data, const struct fl_omp_task_spec *spec) {
    if (spec->bounds) {
        uint64_t *words = data;
        words[0] = spec->first;
        words[1] = spec->last;
    }
}

/* Whether the event is fulfilled of a task that its maker waits for: then only the body's end is
 * left. */
static bool fulfilled(void *context) {
    struct fl_omp_task *task = context;
    /* [F2] pairs [F1]. */
    return atomic_load_explicit(&task->holds, memory_order_seq_cst) == 1;
}

/* The body has returned to its maker. */
static inline void end_included(struct fl_omp_member *me, struct fl_omp_task *task) {
    /* Relaxed: of its own task. */
    if (FL_UNLIKELY(atomic_load_explicit(&task->holds, memory_order_relaxed) != 0)) {
        fl_omp_task_wait(me, fulfilled, task);
    }
    if (is_plain(task) || end_special(me, task)) {
        leave(me, task);
    }
}

static __attribute__((noinline)) void include_special(struct fl_omp_member *me, const struct fl_omp_task_spec *spec,
                                    bool final) {
    if (spec->flags & FL_OMP_TASK_DEPEND) {
        fl_omp_depend_wait(me, spec->depend);
    }
    struct fl_omp_task *task = new_task(me, final, false);
    task->member = me;
    void *data = spec->data;
    if (spec->flags & FL_OMP_TASK_DETACH) {
        detach(task, spec);
    }
    if (spec->copy) {
        char *buffer = alloca(spec->size + spec->align);
        data = (void *)fl_round_up((uintptr_t)buffer, spec->align);
        spec->copy(data, spec->data);
    }
    set_bounds(data, spec);
    run_body(me, task, spec->body, data);
    end_included(me, task);
}

static inline void include(struct fl_omp_member *me, const struct fl_omp_task_spec *spec,
                           bool final) {
    enum { SPECIAL = FL_OMP_TASK_DEPEND | FL_OMP_TASK_DETACH };
    if (FL_UNLIKELY((spec->flags & SPECIAL) || spec->copy)) {
        include_special(me, spec, final);
    } else {
        set_bounds(spec->data, spec);
        include_plain(me, spec->body, spec->data, final);
    }
}

/* ---- deferred tasks: executed later, by any member ---- */

static FL_COLD void use_tasks(struct fl_omp_team *team) {
    /* [U1] pairs [U2]. Before the ring, which sees a sleeping member, or that member sees this. */
    atomic_exchange_explicit(&team->tasks.used, true, memory_order_seq_cst);
    fl_omp_ring(team);
}

static inline void count(struct fl_omp_member *me, struct fl_omp_task *task) {
    me->task->children.here++;
    struct fl_omp_group *group = task->group;
    if (group && group->count.owner == me) {
        group->count.here++;
    } else if (group) {
        /* Relaxed: before the end of the task that makes this one, which the group waits for,
         * too. */
        atomic_fetch_add_explicit(&group->count.elsewhere, 1, memory_order_relaxed);
    }
    uint64_t made = atomic_load_explicit(&me->tasks.made, memory_order_relaxed); /* its own */
    /* Relaxed: a thread that sees the task ended has seen it made, by [T2], [E1]. */
    atomic_store_explicit(&me->tasks.made, made + 1, memory_order_relaxed);
    if (!fl_omp_tasks_used(&me->team->tasks)) {
        use_tasks(me->team);
    }
}

static inline void dispatch(struct fl_omp_member *me, struct fl_omp_task *task) {
    if (FL_UNLIKELY(!fl_omp_deque_has_room(&me->tasks.deque, FL_OMP_DEQUE_SLOTS))) {
        fl_omp_task_execute(me, task);
        return;
    }
    fl_omp_deque_put(&me->tasks.deque, task);
    fl_omp_tasks_call_one(&me->team->tasks, me->team->n);
    if (FL_UNLIKELY(fl_omp_team_agrees(me->team))) {
        fl_omp_migrate_step(me, false);
    }
}

static inline void defer_plain(struct fl_omp_member *me, void (*body)(void *), const void *data,
                               size_t size, size_t align, bool final) {
    struct fl_omp_task *task = new_task(me, final, true);
    task->priority = 0;
    task->body = body;
    task->data = room(me, task, size, align);
    memcpy(task->data, data, size);
    count(me, task);
    dispatch(me, task);
}

/* A complete task waits for its predecessors, or goes to the queue or the deque, or is executed. */
static inline void launch(struct fl_omp_member *me, struct fl_omp_task *task,
                          const struct fl_omp_task_spec *spec) {
    task->priority = spec->priority;
    count(me, task);
    enum fl_omp_place place = FL_OMP_READY;
    if (spec->flags & FL_OMP_TASK_DEPEND) {
        place = fl_omp_node_begin(me, task, spec->depend);
    }
    if (place == FL_OMP_WAITS) {
        fl_omp_eager_behind(me);
        return;
    }
    if (task->priority > 0) {
        fl_omp_task_stay(task);
        fl_omp_task_queue(me->team, task);
    } else if ((spec->flags & FL_OMP_TASK_DEPEND) &&
               (fl_omp_eager(me, FL_OMP_AMONG_SIBLINGS_NS) ||
                (place == FL_OMP_LATE && fl_omp_eager_late(me)))) {
        fl_omp_task_execute(me, task);
    } else {
        dispatch(me, task);
    }
}

static void defer(struct fl_omp_member *me, const struct fl_omp_task_spec *spec, bool final) {
    struct fl_omp_task *task = new_task(me, final, true);
    task->body = spec->body;
    if (spec->flags & FL_OMP_TASK_DETACH) {
        detach(task, spec);
    }
    task->data = room(me, task, spec->size, spec->align);
    if (spec->copy || (spec->flags & FL_OMP_TASK_DETACH)) {
        fl_omp_task_stay(task);
    }
    if (spec->copy) {
        spec->copy(task->data, spec->data);
        task->copied = true;
    } else {
        memcpy(task->data, spec->data, spec->size);
    }
    set_bounds(task->data, spec);
    launch(me, task, spec);
}

/* ---- tasks that go from host to host ---- */

void fl_omp_task_take_in(struct fl_omp_member *me, const struct fl_omp_task_from *from) {
    struct fl_omp_task *task = new_task(me, from->final, true);
    task->icvs = *from->icvs;
    task->group = from->group;
    task->reductions = NULL;
    task->priority = 0;
    task->body = from->body;
    task->data = from->data;
    task->outside = from->outside;
    task->origin = from->origin;
    atomic_store_explicit(&task->home, from->host + 1, memory_order_relaxed); /* as above */
    me->task->children.here++;
    uint64_t made = atomic_load_explicit(&me->tasks.made, memory_order_relaxed); /* as count */
    atomic_store_explicit(&me->tasks.made, made + 1, memory_order_relaxed);
    fl_omp_task_ready(me, task);
}

void fl_omp_task_return(struct fl_omp_member *me, struct fl_omp_task *task, bool with_group) {
    free_outside(task);
    if (!with_group) {
        task->group = NULL;
    }
    fl_omp_task_complete(me, task);
}

void fl_omp_group_return(struct fl_omp_member *me, struct fl_omp_group *group) {
    end_in_group(me, group);
}

/* ---- making ---- */

/* Whether a task with dependences, an event, or a priority should be executed at once, though it
 * may be deferred. */
static bool special_better_now(struct fl_omp_member *me, const struct fl_omp_task_spec *spec) {
    if (spec->flags & FL_OMP_TASK_DETACH) {
        return false;
    }
    if (spec->flags & FL_OMP_TASK_DEPEND) {
        bool may_be = me->team->size == 1 || me->tasks.busy > 0; /* otherwise `launch` decides */
        if (!may_be || !fl_omp_depends_ended(me, spec->depend)) {
            return false;
        }
    }
    return spec->priority > 0 && me->team->n > 1 ? fl_omp_task_queue_full(&me->team->tasks)
                                                 : fl_omp_eager(me, FL_OMP_ALONE_NS);
}

void fl_omp_task_make(struct fl_omp_member *me, const struct fl_omp_task_spec *spec,
                      bool deferred) {
    if (FL_UNLIKELY(is_cancelled(me))) {
        return;
    }
    bool included = me->task->final;
    bool final = included || (spec->flags & FL_OMP_TASK_FINAL);
    if (deferred && !included && !special_better_now(me, spec)) {
        defer(me, spec, final);
    } else {
        include(me, spec, final);
    }
}

static void include_pieces(struct fl_omp_member *me, void (*body)(void *), void *data, bool final,
                           const struct fl_omp_pieces *loop) {
    struct fl_omp_task *task = task_for_now(me, final);
    uint64_t *bounds = data, at = loop->start;
    for (uint64_t i = 0; i < loop->n && !is_cancelled(me); i++) {
        bounds[0] = at;
        at += (loop->length + (i < loop->longer)) * loop->step;
        bounds[1] = i == loop->n - 1 ? loop->end : at;
        if (FL_UNLIKELY(!task)) {
            task = task_for_now(me, final);
        }
        if (FL_LIKELY(run_now(me, task, body, data))) {
            task->icvs = me->task->icvs; /* which the piece may have changed for itself */
        } else {
            task = NULL;
        }
    }
    if (task) {
        keep(me, task);
    }
}

/* Several small tasks of a taskloop, handed over as one to save cost: each is still a task of its
 * own. */
struct bundle {
    struct fl_omp_pieces pieces;
    void (*body)(void *data);
    size_t data; /* offset of the data from here: another host may have a copy */
};

static void execute_bundle(void *data) {
    struct bundle *bundle = data;
    struct fl_omp_member *me = fl_omp_me;
    include_pieces(me, bundle->body, (char *)bundle + bundle->data, me->task->final,
                   &bundle->pieces);
}

static void defer_bundle(struct fl_omp_member *me, const struct fl_omp_task_spec *spec, bool final,
                         const struct fl_omp_pieces *pieces) {
    struct fl_omp_task *task = new_task(me, final, true);
    size_t align = spec->align < _Alignof(struct bundle) ? _Alignof(struct bundle) : spec->align;
    size_t head = fl_round_up(sizeof(struct bundle), align);
    struct bundle *bundle = room(me, task, head + spec->size, align);
    *bundle = (struct bundle){*pieces, spec->body, head};
    memcpy((char *)bundle + head, spec->data, spec->size);
    task->priority = 0;
    task->body = execute_bundle;
    task->data = bundle;
    count(me, task);
    dispatch(me, task);
}

static void make_bundles(struct fl_omp_member *me, const struct fl_omp_task_spec *spec, bool final,
                         const struct fl_omp_pieces *loop) {
    uint64_t most = (uint64_t)BUNDLES * me->team->size, n = loop->n < most ? loop->n : most;
    uint64_t each = loop->n / n, rest = loop->n % n, *bounds = spec->data;
    for (uint64_t i = 0, from = 0, to; i < n && !is_cancelled(me); i++, from = to) {
        to = from + each + (i < rest);
        struct fl_omp_pieces pieces = fl_omp_taskloop_part(loop, from, to);
        if (fl_omp_eager(me, FL_OMP_ALONE_NS)) {
            include_pieces(me, spec->body, spec->data, final, &pieces);
        } else if (pieces.n > 1) {
            defer_bundle(me, spec, final, &pieces);
        } else {
            bounds[0] = pieces.start;
            bounds[1] = pieces.end;
            defer_plain(me, spec->body, spec->data, spec->size, spec->align, final);
        }
    }
}

/* Executes one of the pieces. Returns the time that all would take if they were alike. */
static uint64_t try_piece(struct fl_omp_member *me, const struct fl_omp_task_spec *spec, bool final,
                          const struct fl_omp_pieces *loop, uint64_t i) {
    struct fl_omp_pieces piece = fl_omp_taskloop_part(loop, i, i + 1);
    uint64_t begun = fl_os_now_ns();
    include_pieces(me, spec->body, spec->data, final, &piece);
    return (fl_os_now_ns() - begun) * loop->n;
}

/* The maker will wait for all pieces next: it may as well execute one of them, and learn its
 * time. */
static uint64_t make_awaited_pieces(struct fl_omp_member *me, const struct fl_omp_task_spec *spec,
                                    bool final, const struct fl_omp_pieces *loop) {
    if (!fl_omp_eager_loop(me, spec->body)) {
        struct fl_omp_pieces others = fl_omp_taskloop_part(loop, 0, loop->n - 1);
        make_bundles(me, spec, final, &others);
        return try_piece(me, spec, final, loop, loop->n - 1);
    }
    uint64_t ns = try_piece(me, spec, final, loop, 0);
    struct fl_omp_pieces others = fl_omp_taskloop_part(loop, 1, loop->n);
    if (fl_omp_eager_loop_takes(me, spec->body, ns)) {
        include_pieces(me, spec->body, spec->data, final, &others);
    } else {
        make_bundles(me, spec, final, &others);
    }
    return ns;
}

uint64_t fl_omp_task_make_pieces(struct fl_omp_member *me, struct fl_omp_task_spec *spec,
                                 bool deferred, const struct fl_omp_pieces *loop) {
    bool included = !deferred || me->task->final || me->team->size == 1;
    bool final = me->task->final || (spec->flags & FL_OMP_TASK_FINAL);
    if (!spec->copy && spec->priority <= 0) {
        if (included) {
            include_pieces(me, spec->body, spec->data, final, loop);
        } else if (loop->n > 1 && !(spec->flags & FL_OMP_TASK_NOGROUP)) {
            return make_awaited_pieces(me, spec, final, loop);
        } else {
            make_bundles(me, spec, final, loop);
        }
        return UINT64_MAX;
    }
    spec->bounds = true;
    for (uint64_t i = 0; i < loop->n && !is_cancelled(me); i++) {
        struct fl_omp_pieces piece = fl_omp_taskloop_part(loop, i, i + 1);
        spec->first = piece.start;
        spec->last = piece.end;
        fl_omp_task_make(me, spec, deferred);
    }
    return UINT64_MAX;
}

/* ---- tasks that are made before they begin ---- */

struct fl_omp_task *fl_omp_task_new(struct fl_omp_member *me, void (*body)(void *), size_t head,
                                    size_t size, size_t align, bool final) {
    struct fl_omp_task *task = new_task(me, final || me->task->final, false);
    task->member = me;
    task->body = body;
    uintptr_t memory = (uintptr_t)room(me, task, head + size + align - 16, 16);
    task->data = (void *)(fl_round_up(memory + head, align) - head);
    task->bytes -= (uintptr_t)task->data - memory; /* used only where tasks may migrate */
    task->align = (uint16_t)align;
    return task;
}

void fl_omp_task_drop(struct fl_omp_member *me, struct fl_omp_task *task) {
    /* Relaxed: no other thread knows the task. */
    atomic_store_explicit(&task->holds, 0, memory_order_relaxed);
    free_outside(task);
    put(me, task);
}

bool fl_omp_task_begin(struct fl_omp_member *me, struct fl_omp_task *task,
                       const struct fl_omp_task_spec *spec, bool deferred) {
    fl_assert(!task->deferred && is_made_by(task, me->task));
    if (FL_UNLIKELY(is_cancelled(me))) {
        return false;
    }
    if (deferred && !me->task->final && !special_better_now(me, spec)) {
        task->deferred = true;
        launch(me, task, spec);
    } else {
        if (spec->flags & FL_OMP_TASK_DEPEND) {
            fl_omp_depend_wait(me, spec->depend);
        }
        run_body(me, task, task->body, task->data);
        end_included(me, task);
    }
    return true;
}

int64_t fl_omp_task_enter(struct fl_omp_member *me, struct fl_omp_task *task) {
    int64_t floor = me->tasks.floor;
    task->member = me;
    task->children.owner = me;
    me->task = task;
    me->tasks.floor = fl_omp_deque_bottom(&me->tasks.deque);
    return floor;
}

void fl_omp_task_exit(struct fl_omp_member *me, int64_t floor) {
    struct fl_omp_task *task = me->task;
    me->tasks.floor = floor;
    /* Relaxed: its own parent. */
    me->task = atomic_load_explicit(&task->parent, memory_order_relaxed);
    end_included(me, task);
}

static inline void make_plain(struct fl_omp_member *me, void (*body)(void *), void *data,
                              size_t size, size_t align, bool deferred, unsigned flags) {
    if (FL_UNLIKELY(is_cancelled(me))) {
        return;
    }
    bool included = me->task->final;
    bool final = included || (flags & FL_OMP_TASK_FINAL);
    if (deferred && !included && !fl_omp_eager(me, FL_OMP_ALONE_NS)) {
        defer_plain(me, body, data, size, align, final);
    } else {
        include_plain(me, body, data, final);
    }
}

/* ---- entries ---- */

int fl_omp_task_priority(int asked) {
    int most = (int)fl_omp_program.max_task_priority;
    return asked < most ? asked : most;
}

/* A function of its own, because its stack frame would cost other tasks time. */
static __attribute__((noinline)) void make_special(void (*body)(void *), void *data, void (*copy)(void *, void *),
                                 long size, long align, bool deferred, unsigned flags,
                                 void **depend, int priority, void *event) {
    struct fl_omp_task_spec spec = {
        .body = body,
        .data = data,
        .copy = copy,
        .size = (size_t)size,
        .align = (size_t)align,
        .flags = flags,
        .priority = flags & FL_OMP_TASK_PRIORITY ? fl_omp_task_priority(priority) : 0,
        .depend = depend,
        .event = event,
    };
    fl_omp_task_make(fl_omp_self(), &spec, deferred);
}

FL_OMP_API void GOMP_task(void (*body)(void *), void *data, void (*copy)(void *, void *), long size,
                          long align, bool deferred, unsigned flags, void **depend, int priority,
                          void *event) {
    enum { SPECIAL = FL_OMP_TASK_DEPEND | FL_OMP_TASK_PRIORITY | FL_OMP_TASK_DETACH };
    if ((flags & FL_OMP_TASK_PRIORITY) && fl_omp_task_priority(priority) <= 0) {
        flags &= ~(unsigned)FL_OMP_TASK_PRIORITY;
    }
    if (FL_LIKELY(!(flags & SPECIAL) && !copy)) {
        make_plain(fl_omp_self(), body, data, (size_t)size, (size_t)align, deferred, flags);
    } else {
        make_special(body, data, copy, size, align, deferred, flags, depend, priority, event);
    }
}
