/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Task reductions: each thread that executes a participating task has a copy of the variables, and
 * compiled code combines the copies at the end. OpenMP 5.1 §2.21.5.
 *
 * The compiler describes reductions by words: 0 how many variables, 1 the bytes of a thread's copy
 * of all of them, 2 their alignment (which the runtime replaces by the address of the copies, zeros
 * at first), 4 and 5 for the runtime, from 7 on three for each variable: its address, its offset in
 * the copy, one for the runtime. Descriptions are stacked, by word 4, in the task; its children
 * inherit the stack.
 *
 * Over several hosts a member of host 0 makes the copies, in coherent memory; others await their
 * address, or that the description has it. Tasks with reductions do not migrate, so the copies of
 * taskgroups are private to their host.
 */
#include "core/assert.h"
#include "core/fatal.h"
#include "omp/barrier.h"
#include "omp/spans.h"

#include <stdlib.h>
#include <string.h>

enum {
    COUNT = FL_OMP_RED_COUNT,
    BYTES = FL_OMP_RED_BYTES,
    ALIGN = FL_OMP_RED_ALIGN,
    COPIES = FL_OMP_RED_COPIES,
    OUTER = FL_OMP_RED_OUTER,
    ALL_BYTES = FL_OMP_RED_ALL_BYTES,
    VARIABLES = FL_OMP_RED_VARIABLES,
    WORDS = FL_OMP_RED_WORDS
};
enum { ADDRESS = 0, OFFSET = 1 };

/* Synchronisation variables of far.h that no construct uses otherwise. */
#define FAR_REGION ((uint64_t)1 << 61)
#define FAR_CONSTRUCTS ((uint64_t)1 << 62) /* and the number of those before in the region */

static void make(uintptr_t *data, unsigned threads, bool far) {
    size_t align = data[ALIGN] < FL_CACHE_LINE ? FL_CACHE_LINE : data[ALIGN];
    data[ALL_BYTES] = fl_round_up(data[BYTES] * threads, align);
    void *copies = FL_UNLIKELY(far) ? fl_omp_far_alloc(data[ALL_BYTES], align)
                                    : aligned_alloc(align, data[ALL_BYTES]);
    copies = FL_ALLOCATED(copies, "task reductions");
    memset(copies, 0, data[ALL_BYTES]);
    data[COPIES] = (uintptr_t)copies;
}

static void stack(struct fl_omp_task *task, uintptr_t *data) {
    fl_assert(task->reductions != data);
    data[OUTER] = (uintptr_t)task->reductions;
    task->reductions = data;
}

void fl_omp_reductions_register(struct fl_omp_member *me, uintptr_t *data) {
    make(data, me->size, false);
    stack(me->task, data);
}

/* ---- lookup ---- */

/* The variable that has the address, or a thread's copy of which has. */
static const uintptr_t *find(const uintptr_t *data, uintptr_t address) {
    uintptr_t at = address - data[COPIES];
    bool copy = at < data[ALL_BYTES];
    for (uintptr_t i = 0; i < data[COUNT]; i++) {
        const uintptr_t *variable = &data[VARIABLES + i * WORDS];
        if (copy ? at % data[BYTES] == variable[OFFSET] : variable[ADDRESS] == address) {
            return variable;
        }
    }
    return NULL;
}

const uintptr_t *fl_omp_reduction_find(const struct fl_omp_member *me, uintptr_t address,
                                       const uintptr_t **variable) {
    const uintptr_t *data = me->task->reductions;
    while (data && !(*variable = find(data, address))) {
        data = (const uintptr_t *)data[OUTER];
    }
    if (!data) {
        fl_fatal(FL_CODE_OMP_REDUCTION,
                 "a task names a variable in in_reduction (at %p) that no task_reduction, and no "
                 "reduction with the modifier task, around it names",
                 (void *)address);
    }
    return data;
}

/* Replaces the addresses of `n` variables by those of the calling thread's copies, and appends the
 * addresses of the first `n_original` variables themselves. */
FL_OMP_API void GOMP_task_reduction_remap(size_t n, size_t n_original, void **addresses) {
    struct fl_omp_member *me = fl_omp_self();
    for (size_t i = 0; i < n; i++) {
        const uintptr_t *variable, *data = fl_omp_reduction_find(me, (uintptr_t)addresses[i], &variable);
        if (i < n_original) {
            addresses[n + i] = (void *)variable[ADDRESS];
        }
        uintptr_t at = me->number * data[BYTES] + variable[OFFSET];
        fl_assert(at < data[ALL_BYTES]);
        addresses[i] = (void *)(data[COPIES] + at);
    }
}

/* ---- taskgroups ---- */

FL_OMP_API void GOMP_taskgroup_reduction_register(uintptr_t *data) {
    fl_omp_reductions_register(fl_omp_self(), data);
}

FL_OMP_API void GOMP_taskgroup_reduction_unregister(uintptr_t *data) {
    free((void *)data[COPIES]);
}

/* ---- worksharing constructs, and scopes in scopes ---- */

struct fl_omp_copies {
    struct fl_omp_copies *outer;
    uint64_t number; /* of the construct, as members have met those with task reductions */
    uintptr_t at;
};

/* For the first member of its host to arrive: the address of the copies. */
static uintptr_t copies_of_construct(struct fl_omp_member *me, uintptr_t *data, uint64_t word) {
    bool far = me->team->far;
    if (FL_UNLIKELY(far) && fl_omp_far.me != 0) {
        return fl_omp_far_await(fl_omp_span_number(me), word, 1);
    }
    make(data, me->size, far);
    if (FL_UNLIKELY(far)) {
        fl_omp_far_post(fl_omp_span_number(me), word, data[COPIES]);
    }
    return data[COPIES];
}

static struct fl_omp_copies *add_copies(struct fl_omp_member *me, uintptr_t *data, uint64_t number) {
    struct fl_omp_copies *copies = FL_ALLOCATED(malloc(sizeof *copies), "task reductions");
    copies->outer = me->team->tasks.copies;
    copies->number = number;
    copies->at = copies_of_construct(me, data, FAR_CONSTRUCTS + number);
    return me->team->tasks.copies = copies;
}

void fl_omp_reductions_begin(struct fl_omp_member *me, uintptr_t *data) {
    struct fl_omp_tasks *tasks = &me->team->tasks;
    uint64_t number = me->tasks.reduced++;
    fl_mutex_lock(&tasks->lock);
    struct fl_omp_copies *copies = tasks->copies;
    while (copies && copies->number != number) {
        copies = copies->outer;
    }
    copies = copies ? copies : add_copies(me, data, number);
    data[COPIES] = copies->at;
    data[ALL_BYTES] = data[BYTES] * me->size;
    fl_mutex_unlock(&tasks->lock);
    stack(me->task, data);
}

/* The innermost construct is over. */
static void drop_copies(struct fl_omp_tasks *tasks) {
    struct fl_omp_copies *copies = tasks->copies;
    fl_assert(copies);
    tasks->copies = copies->outer;
    if (!fl_omp_spread() || fl_omp_far.me == 0) {
        free((void *)copies->at);
    }
    free(copies);
}

/* All have been at a barrier since, and the first has combined the copies. */
FL_OMP_API void GOMP_workshare_task_reduction_unregister(bool cancelled) {
    struct fl_omp_member *me = fl_omp_self();
    me->task->reductions = (uintptr_t *)me->task->reductions[OUTER];
    if (cancelled) {
        return; /* tasks that have begun may go on; the copies stay until the region has ended */
    }
    if (me->index == 0) {
        drop_copies(&me->team->tasks);
    }
    fl_omp_barrier(me);
}

void fl_omp_reductions_end(struct fl_omp_tasks *tasks) {
    while (tasks->copies) {
        drop_copies(tasks);
    }
}

/* ---- regions ---- */

struct region {
    void (*body)(void *data);
    void *data;
    unsigned size;
};

static void make_first(struct fl_omp_member *me, struct region *region, uintptr_t *data) {
    struct fl_omp_tasks *tasks = &me->team->tasks;
    fl_mutex_lock(&tasks->lock);
    if (region->size == 0) {
        region->size = me->size;
        make(data, me->size, me->team->far);
        data[OUTER] = 0;
        if (FL_UNLIKELY(me->team->far)) {
            fl_omp_far_post(0, FAR_REGION, 1);
        }
    }
    fl_mutex_unlock(&tasks->lock);
}

static void in_region(void *context) {
    struct region *region = context;
    struct fl_omp_member *me = fl_omp_me;
    uintptr_t *data = *(uintptr_t **)region->data;
    if (FL_UNLIKELY(me->team->far) && fl_omp_far.me != 0) {
        fl_omp_far_await(0, FAR_REGION, 1);
    } else {
        make_first(me, region, data);
    }
    me->implicit.reductions = data;
    region->body(region->data);
}

FL_OMP_API unsigned GOMP_parallel_reductions(void (*body)(void *), void *data, unsigned n,
                                             unsigned flags) {
    struct region region = {body, data, 0};
    /* The copies of the variables are not in coherent memory. */
    fl_omp_region(&(struct fl_omp_region){in_region, &region, n, flags, NULL, true, NULL});
    return region.size;
}
