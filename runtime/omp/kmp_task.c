/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tasks as clang compiles them: the compiler asks for a task, fills in its data, and lets it begin.
 * OpenMP 5.1 §2.12, §2.19.5, §2.19.11.
 */
#include "omp/kmp_task.h"

#include "core/assert.h"
#include "core/fatal.h"
#include "omp/depend.h"

#include <alloca.h>
#include <string.h>

enum { TIED = 1, FINAL = 2, DESTRUCTORS = 8, PROXY = 16, PRIORITY = 32, DETACHABLE = 64 };

/* What compiled code knows of a task; behind it is its own data, and behind that addresses of what
 * it shares. */
struct kmp_task {
    void *shared;
    int32_t (*routine)(int32_t thread, struct kmp_task *task);
    int32_t part; /* an untied task's: where it goes on */
    int32_t (*destroy)(int32_t thread, struct kmp_task *task);
    int32_t priority;
};
_Static_assert(sizeof(struct kmp_task) == 40, "as clang lays it out");

/* Our data, in front of the compiler's task. */
struct head {
    _Alignas(16) struct fl_omp_task *task;
    int64_t entered;
    uint32_t bytes; /* of the compiler's task, and what it shares */
    uint32_t shared_at; /* offset in these; 0: it shares nothing */
    uint32_t flags;
    uint16_t alignment;
    bool again; /* a part is to be executed: the first, or the next one of an untied task */
};

static struct head *head_of(struct kmp_task *task) {
    return (struct head *)task - 1;
}

static struct kmp_task *task_of(struct head *head) {
    return (struct kmp_task *)(head + 1);
}

/* Points the compiler's task to the addresses of what it shares, which are in it. */
static void set_shared(struct head *head) {
    struct kmp_task *task = task_of(head);
    task->shared = head->shared_at ? (char *)task + head->shared_at : NULL;
}

/* ---- execution ---- */

/* Destroys the objects that the compiler has put into the task. */
static void destroy(struct head *head) {
    if (FL_UNLIKELY(head->flags & DESTRUCTORS)) {
        task_of(head)->destroy((int32_t)fl_omp_me->number, task_of(head));
    }
}

/* All parts from the first on, or, if the first has been executed, those after it. */
static void execute_parts(struct head *head) {
    struct kmp_task *task = task_of(head);
    while (head->again) {
        head->again = false;
        task->routine((int32_t)fl_omp_me->number, task);
    }
    destroy(head);
}

static void execute(void *data) {
    struct head *head = data;
    if (FL_UNLIKELY(fl_omp_me->task->origin != NULL)) { /* this is a copy */
        head->task = fl_omp_me->task;
        set_shared(head);
    }
    head->again = true;
    execute_parts(head);
}

/* ---- making ---- */

/* The compiler does not pass a task's alignment. But the task's size is a multiple of it, and
 * larger, as the member that is aligned so is not the first. */
static size_t alignment_of(size_t bytes) {
    enum { MOST = 4096 };
    size_t alignment = bytes & (0 - bytes);
    alignment = alignment == bytes ? alignment / 2 : alignment;
    return alignment < 16 ? 16 : alignment > MOST ? MOST : alignment;
}

static struct kmp_task *make(struct fl_omp_member *me, uint32_t flags, uint32_t bytes,
                             uint32_t shared_at, size_t alignment) {
    struct fl_omp_task *task = fl_omp_task_new(me, execute, sizeof(struct head), bytes, alignment,
                                               flags & FINAL);
    struct head *head = task->data;
    task->copied = flags & DESTRUCTORS;
    *head = (struct head){.task = task,
                          .bytes = bytes,
                          .shared_at = shared_at,
                          .flags = flags,
                          .alignment = (uint16_t)alignment};
    set_shared(head);
    return task_of(head);
}

static int32_t no_routine(int32_t thread, struct kmp_task *task) {
    (void)thread;
    (void)task;
    return 0;
}

FL_OMP_API struct kmp_task *
__kmpc_omp_task_alloc(FL_KMP_CALLER, int32_t flags, size_t bytes, size_t shared_bytes,
                      int32_t (*routine)(int32_t, struct kmp_task *)) {
    struct fl_omp_member *me = fl_omp_self();
    size_t shared_at = fl_round_up(bytes, 16), all = shared_at + shared_bytes;
    if (all > UINT32_MAX) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "no memory for %zu bytes of a task's data", all);
    }
    struct kmp_task *task =
        make(me, (uint32_t)flags, (uint32_t)all, shared_bytes ? (uint32_t)shared_at : 0,
             alignment_of(bytes));
    *task = (struct kmp_task){.routine = routine ? routine : no_routine, .shared = task->shared};
    if (flags & PROXY) { /* another call completes it, as an event does a detached task */
        atomic_store_explicit(&head_of(task)->task->holds, 2, memory_order_relaxed);
    }
    return task;
}

FL_OMP_API struct kmp_task *
__kmpc_omp_target_task_alloc(FL_KMP_CALLER, int32_t flags, size_t bytes, size_t shared_bytes,
                             int32_t (*routine)(int32_t, struct kmp_task *), int64_t device) {
    (void)device; /* there are none */
    return __kmpc_omp_task_alloc(place, thread, flags, bytes, shared_bytes, routine);
}

/* Relaxed: no other thread knows the event yet. */
FL_OMP_API void *__kmpc_task_allow_completion_event(FL_KMP_CALLER, struct kmp_task *task) {
    struct fl_omp_task *own = head_of(task)->task;
    atomic_store_explicit(&own->holds, 2, memory_order_relaxed);
    return fl_omp_event_of(own);
}

void omp_fulfill_event(void *event);

FL_OMP_API void __kmpc_proxy_task_completed(int32_t thread, struct kmp_task *task) {
    (void)thread;
    omp_fulfill_event(fl_omp_event_of(head_of(task)->task));
}

/* Called by a thread outside of the team. */
FL_OMP_API void __kmpc_proxy_task_completed_ooo(struct kmp_task *task) {
    omp_fulfill_event(fl_omp_event_of(head_of(task)->task));
}

FL_OMP_API int32_t __kmpc_omp_reg_task_with_affinity(FL_KMP_CALLER, struct kmp_task *task,
                                                     int32_t n, void *list) {
    (void)task;
    (void)n;
    (void)list;
    return 0;
}

/* ---- dependences ---- */

struct dependence {
    void *address;
    size_t bytes;
    uint8_t kind;
};

enum { IN = 1, OUT = 2, INOUT = 3, MUTEXINOUTSET = 4, INOUTSET = 8, ALL_MEMORY = 128 };

/* As in omp_depend_t objects of depend.h. */
static uintptr_t kind_of(uint8_t kind) {
    switch (kind) {
    case IN:
        return 1;
    case MUTEXINOUTSET:
        return 4;
    case INOUTSET:
        return 5;
    default:
        return 3;
    }
}

/* depend.h's form: every dependence as an object, those that write first. */
enum { HEADER = 5, OBJECT = 2 };

static size_t words_of(int32_t n) {
    return HEADER + (size_t)n * (1 + OBJECT);
}

static bool is_all(const struct dependence *dependence) {
    return dependence->kind & ALL_MEMORY ||
           (dependence->address == (void *)-1 && dependence->kind & OUT);
}

static size_t add(void **words, size_t at, size_t n, const struct dependence *list, int32_t listed,
                  bool writes) {
    for (int32_t i = 0; i < listed; i++) {
        bool all = is_all(&list[i]);
        if ((all || list[i].kind & OUT) == writes) {
            void **object = &words[HEADER + n + at * OBJECT];
            object[0] = all ? NULL : list[i].address;
            object[1] = (void *)kind_of(list[i].kind);
            words[HEADER + at++] = object;
        }
    }
    return at;
}

static void convert(void **words, int32_t n, const struct dependence *list, int32_t n_more,
                    const struct dependence *more) {
    size_t all = (size_t)(n + n_more), at = 0;
    memset(words, 0, HEADER * sizeof words[0]);
    words[1] = (void *)all;
    for (int writes = 1; writes >= 0; writes--) {
        at = add(words, at, all, list, n, writes);
        at = add(words, at, all, more, n_more, writes);
    }
}

#define CONVERT(words, n, list, n_more, more)                                                      \
    void **words = alloca(words_of((n) + (n_more)) * sizeof(void *));                              \
    convert(words, n, list, n_more, more)

/* ---- beginning ---- */

static struct fl_omp_task_spec spec_of(const struct head *head, void **depend) {
    const struct kmp_task *task = (const struct kmp_task *)(head + 1);
    struct fl_omp_task_spec spec = {.depend = depend, .flags = depend ? FL_OMP_TASK_DEPEND : 0};
    if (FL_UNLIKELY(head->flags & PRIORITY)) {
        spec.priority = fl_omp_task_priority(task->priority);
    }
    /* Relaxed: its own task. */
    if (FL_UNLIKELY(atomic_load_explicit(&head->task->holds, memory_order_relaxed) != 0)) {
        spec.flags |= FL_OMP_TASK_DETACH;
    }
    return spec;
}

static void drop(struct fl_omp_member *me, struct head *head) {
    destroy(head);
    fl_omp_task_drop(me, head->task);
}

/* Whether objects in the data may know their own addresses, so that the data must not be copied:
 * the compiler tells this only of objects with destructors, so all words are searched. */
static bool knows_itself(const struct head *head) {
    const uintptr_t *word = (const void *)((const struct kmp_task *)(head + 1) + 1);
    uintptr_t begin = (uintptr_t)word, end = (uintptr_t)(head + 1) + head->bytes;
    for (; (uintptr_t)(word + 1) <= end; word++) {
        if (*word >= begin && *word < end) {
            return true;
        }
    }
    return head->flags & DESTRUCTORS;
}

static void begin(struct fl_omp_member *me, struct head *head, void **depend, bool deferred) {
    struct fl_omp_task_spec spec = spec_of(head, depend);
    /* Relaxed: its own task. */
    if (FL_UNLIKELY(atomic_load_explicit(&head->task->home, memory_order_relaxed) != 0) &&
        (knows_itself(head) || (spec.flags & FL_OMP_TASK_DETACH))) {
        fl_omp_task_stay(head->task);
    }
    const struct fl_omp_group *group = me->task->group;
    if (group && FL_UNLIKELY(group->combined != NULL) && !(spec.flags & FL_OMP_TASK_DETACH)) {
        deferred = deferred && !fl_kmp_reductions_want(me, group->combined);
    }
    if (!fl_omp_task_begin(me, head->task, &spec, deferred)) {
        drop(me, head);
    }
}

/* An untied task that passes itself ends a part. */
FL_OMP_API int32_t __kmpc_omp_task(FL_KMP_CALLER, struct kmp_task *task) {
    struct fl_omp_member *me = fl_omp_self();
    struct head *head = head_of(task);
    if (FL_UNLIKELY(head->task == me->task)) {
        head->again = true;
    } else {
        begin(me, head, NULL, true);
    }
    return 0;
}

FL_OMP_ALIAS(int32_t, __kmpc_omp_task_parts, (FL_KMP_CALLER, struct kmp_task *), __kmpc_omp_task);

FL_OMP_API int32_t __kmpc_omp_task_with_deps(FL_KMP_CALLER, struct kmp_task *task, int32_t n,
                                             const struct dependence *list, int32_t n_more,
                                             const struct dependence *more) {
    CONVERT(depend, n, list, n_more, more);
    begin(fl_omp_self(), head_of(task), n + n_more ? depend : NULL, true);
    return 0;
}

/* The `if` clause is false: the caller executes the task itself, between the two. */
FL_OMP_API void __kmpc_omp_task_begin_if0(FL_KMP_CALLER, struct kmp_task *task) {
    struct head *head = head_of(task);
    head->entered = fl_omp_task_enter(fl_omp_self(), head->task);
}

FL_OMP_API void __kmpc_omp_task_complete_if0(FL_KMP_CALLER, struct kmp_task *task) {
    struct head *head = head_of(task);
    fl_assert(fl_omp_me->task == head->task);
    execute_parts(head);
    fl_omp_task_exit(fl_omp_me, head->entered);
}

/* ---- waiting ---- */

FL_OMP_API void __kmpc_omp_wait_deps(FL_KMP_CALLER, int32_t n, const struct dependence *list,
                                     int32_t n_more, const struct dependence *more) {
    CONVERT(depend, n, list, n_more, more);
    fl_omp_depend_wait(fl_omp_self(), depend);
}

static void nothing(void *data) {
    (void)data;
}

/* taskwait with depend clauses; with nowait it is an empty task with these dependences. */
FL_OMP_API void __kmpc_omp_taskwait_deps_51(FL_KMP_CALLER, int32_t n, const struct dependence *list,
                                            int32_t n_more, const struct dependence *more,
                                            int32_t nowait) {
    CONVERT(depend, n, list, n_more, more);
    struct fl_omp_member *me = fl_omp_self();
    if (nowait) {
        struct fl_omp_task_spec spec = {.flags = FL_OMP_TASK_DEPEND, .depend = depend};
        struct fl_omp_task *task = fl_omp_task_new(me, nothing, 0, 0, 16, false);
        if (!fl_omp_task_begin(me, task, &spec, true)) {
            fl_omp_task_drop(me, task);
        }
    } else {
        fl_omp_depend_wait(me, depend);
    }
}

FL_OMP_API int32_t __kmpc_omp_taskwait(FL_KMP_CALLER) {
    GOMP_taskwait();
    return 0;
}

FL_OMP_API int32_t __kmpc_omp_taskyield(FL_KMP_CALLER, int32_t end_of_part) {
    (void)end_of_part;
    GOMP_taskyield();
    return 0;
}

FL_OMP_API int32_t __kmpc_omp_has_task_team(int32_t thread) {
    (void)thread;
    return fl_omp_self()->team->n > 1;
}

/* ---- taskgroup ---- */

FL_OMP_API void __kmpc_taskgroup(FL_KMP_CALLER) {
    GOMP_taskgroup_start();
}

FL_OMP_API void __kmpc_end_taskgroup(FL_KMP_CALLER) {
    struct fl_omp_member *me = fl_omp_self();
    struct fl_kmp_reductions *combined = me->task->group->combined;
    GOMP_taskgroup_end();
    if (combined) {
        fl_kmp_reductions_end(me, combined);
    }
}

/* ---- taskloop ---- */

enum { WITHOUT_SIZE = 0, GRAINSIZE = 1, NUM_TASKS = 2 };

/* The task that the tasks of a taskloop are copies of. */
struct pattern {
    struct head *head;
    size_t low_at, high_at; /* offsets of its first and last iteration */
    void (*copy)(struct kmp_task *to, struct kmp_task *from, int32_t last);
    bool deferred;
};

static void make_piece(struct fl_omp_member *me, const struct pattern *pattern, uint64_t low,
                       uint64_t high, bool last) {
    const struct head *head = pattern->head;
    struct kmp_task *from = task_of(pattern->head);
    struct kmp_task *task = make(me, head->flags, head->bytes, head->shared_at, head->alignment);
    memcpy(task, from, head->bytes);
    set_shared(head_of(task));
    memcpy((char *)task + pattern->low_at, &low, sizeof low);
    memcpy((char *)task + pattern->high_at, &high, sizeof high);
    if (pattern->copy) {
        pattern->copy(task, from, last);
    }
    begin(me, head_of(task), NULL, pattern->deferred);
}

static void make_pieces(struct fl_omp_member *me, const struct pattern *pattern,
                        const struct fl_omp_pieces *loop) {
    uint64_t low = loop->start;
    for (uint64_t i = 0; i < loop->n; i++) {
        uint64_t next = low + (loop->length + (i < loop->longer)) * loop->step;
        bool last = i == loop->n - 1;
        make_piece(me, pattern, low, last ? loop->end : next - loop->step, last);
        low = next;
    }
}

static uint64_t iterations(uint64_t low, uint64_t high, int64_t step) {
    return step > 0 ? (high - low + (uint64_t)step) / (uint64_t)step
                    : (low - high - (uint64_t)step) / (0 - (uint64_t)step);
}

/* The compiler's bounds are in the task. */
FL_OMP_API void __kmpc_taskloop_5(FL_KMP_CALLER, struct kmp_task *task, int32_t deferred,
                                  uint64_t *low, uint64_t *high, int64_t step, int32_t nogroup,
                                  int32_t sized, uint64_t size, int32_t strict, void *copy) {
    struct fl_omp_member *me = fl_omp_self();
    struct pattern pattern = {.head = head_of(task),
                              .low_at = (size_t)((char *)low - (char *)task),
                              .high_at = (size_t)((char *)high - (char *)task),
                              .copy = (void (*)(struct kmp_task *, struct kmp_task *, int32_t))copy,
                              .deferred = deferred};
    struct fl_omp_pieces loop = {.start = *low, .end = *high, .step = (uint64_t)step};
    uint64_t n = iterations(*low, *high, step);
    struct fl_omp_group group;
    if (!nogroup) {
        fl_omp_group_begin(me, &group);
    }
    if (n > 0) {
        unsigned flags = (sized == GRAINSIZE ? FL_OMP_TASK_GRAINSIZE : 0u) |
                         (strict ? FL_OMP_TASK_STRICT : 0u);
        fl_omp_taskloop_divide(&loop, n, flags, sized == WITHOUT_SIZE ? 0 : size, me->team->n);
        make_pieces(me, &pattern, &loop);
    }
    drop(me, pattern.head);
    if (!nogroup) {
        fl_omp_group_end(me, &group);
    }
}

FL_OMP_API void __kmpc_taskloop(FL_KMP_CALLER, struct kmp_task *task, int32_t deferred,
                                uint64_t *low, uint64_t *high, int64_t step, int32_t nogroup,
                                int32_t sized, uint64_t size, void *copy) {
    __kmpc_taskloop_5(place, thread, task, deferred, low, high, step, nogroup, sized, size, 0, copy);
}
