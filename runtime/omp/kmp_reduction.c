/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Task reductions as clang compiles them: the runtime calls the compiler's functions that
 * initialise a thread's copy of a variable, combine two copies, and destroy one. Reductions are
 * described by the words of reduction.c; a copy is initialised when its thread first asks for it.
 * OpenMP 5.1 §2.21.5.
 *
 * Where all members of a team begin a reduction, `reduction(task, ...)`, each of them names its own
 * copy of the construct as the variable, and those of the tasks are shared: the last member at the
 * end combines them with its own. Tasks with reductions do not migrate, so all of this is on one
 * host.
 */
#include "omp/kmp_task.h"

#include "core/assert.h"
#include "core/fatal.h"

#include <stdlib.h>
#include <string.h>

struct variable {
    void *address, *original;
    size_t bytes;
    void (*begin)(void *copy, void *original); /* null: zeros */
    void (*end)(void *copy);                   /* null: nothing */
    void (*combine)(void *to, void *from);
    uint32_t flags;
};
enum { LATE = 1 };
_Static_assert(sizeof(struct variable) == 56, "as clang lays it out");

struct fl_kmp_reductions {
    struct fl_omp_share *share; /* of the construct around; null: a taskgroup's own */
    unsigned threads, n;
    bool late; /* there are variables whose size only tasks know */
    const struct variable *variables;
    uint8_t *begun; /* whether a thread has a variable's copy */
    uintptr_t words[];
};

/* The variables stand behind the words. */
static struct fl_kmp_reductions *describe(struct fl_omp_member *me, int32_t n,
                                          const struct variable *variables) {
    size_t words = FL_OMP_RED_VARIABLES + (size_t)n * FL_OMP_RED_WORDS;
    size_t bytes = sizeof(struct fl_kmp_reductions) + words * sizeof(uintptr_t) +
                   (size_t)n * sizeof *variables;
    struct fl_kmp_reductions *own = FL_ALLOCATED(calloc(1, bytes), "task reductions");
    own->threads = me->team->n;
    own->n = (unsigned)n;
    own->variables = memcpy(&own->words[words], variables, (size_t)n * sizeof *variables);
    size_t at = 0;
    for (int32_t i = 0; i < n; i++) {
        uintptr_t *word = &own->words[FL_OMP_RED_VARIABLES + i * FL_OMP_RED_WORDS];
        word[0] = (uintptr_t)variables[i].address;
        word[1] = at;
        word[2] = (uintptr_t)own;
        own->late |= variables[i].flags & LATE;
        at = fl_round_up(at + variables[i].bytes, FL_CACHE_LINE);
    }
    own->words[FL_OMP_RED_COUNT] = (uintptr_t)n;
    own->words[FL_OMP_RED_BYTES] = at ? at : FL_CACHE_LINE;
    own->words[FL_OMP_RED_ALL_BYTES] = own->words[FL_OMP_RED_BYTES] * own->threads;
    return own;
}

static size_t bytes_of(const struct fl_kmp_reductions *own) {
    return own->words[FL_OMP_RED_ALL_BYTES] + (size_t)own->threads * own->n;
}

/* `memory`: zeros, for the copies of all threads, and behind these for `begun`. */
static void *use(struct fl_omp_member *me, struct fl_kmp_reductions *own, void *memory) {
    struct fl_omp_task *task = me->task;
    own->words[FL_OMP_RED_COPIES] = (uintptr_t)memory;
    own->begun = (uint8_t *)memory + own->words[FL_OMP_RED_ALL_BYTES];
    own->words[FL_OMP_RED_OUTER] = (uintptr_t)task->reductions;
    task->reductions = own->words;
    task->group->combined = own;
    return task->group;
}

FL_OMP_API void *__kmpc_taskred_init(int32_t thread, int32_t n, const struct variable *variables) {
    (void)thread;
    struct fl_omp_member *me = fl_omp_self();
    struct fl_kmp_reductions *own = describe(me, n, variables);
    void *memory =
        FL_ALLOCATED(aligned_alloc(FL_CACHE_LINE, fl_round_up(bytes_of(own), FL_CACHE_LINE)),
                     "task reductions");
    return use(me, own, memset(memory, 0, bytes_of(own)));
}

FL_OMP_API void *__kmpc_taskred_modifier_init(FL_KMP_CALLER, int32_t is_worksharing, int32_t n,
                                              const struct variable *variables) {
    (void)is_worksharing;
    struct fl_omp_member *me = fl_omp_self();
    __kmpc_taskgroup(place, thread);
    struct fl_kmp_reductions *own = describe(me, n, variables);
    me->loop = (struct fl_omp_loop){.share = NULL};
    fl_omp_share_begin(me);
    own->share = me->loop.share;
    void *memory = fl_omp_share_memory_here(me, FL_OMP_MEMORY_PROGRAM, bytes_of(own));
    me->loop.share = NULL;
    return use(me, own, memory);
}

FL_OMP_API void __kmpc_task_reduction_modifier_fini(FL_KMP_CALLER, int32_t is_worksharing) {
    (void)is_worksharing;
    __kmpc_end_taskgroup(place, thread);
}

bool fl_kmp_reductions_want(const struct fl_omp_member *me,
                            const struct fl_kmp_reductions *own) {
    if (FL_LIKELY(!own->late) || me->task->group->count.owner != me) {
        return false;
    }
    for (unsigned i = 0; i < own->n; i++) {
        if ((own->variables[i].flags & LATE) && !own->begun[me->index * own->n + i]) {
            return true;
        }
    }
    return false;
}

/* The calling thread's copy. */
FL_OMP_API void *__kmpc_task_reduction_get_th_data(int32_t thread, void *group, void *address) {
    (void)thread;
    (void)group; /* the task knows the reductions around it */
    struct fl_omp_member *me = fl_omp_self();
    const uintptr_t *word, *words = fl_omp_reduction_find(me, (uintptr_t)address, &word);
    const struct fl_kmp_reductions *own = (const struct fl_kmp_reductions *)word[2];
    size_t i = (size_t)(word - &words[FL_OMP_RED_VARIABLES]) / FL_OMP_RED_WORDS;
    fl_assert(i < own->n && me->index < own->threads);
    char *copies = (char *)words[FL_OMP_RED_COPIES];
    char *copy = copies + me->index * words[FL_OMP_RED_BYTES] + word[1];
    uint8_t *begun = &own->begun[me->index * own->n + i];
    if (!*begun) {
        *begun = 1;
        if (own->variables[i].begin) {
            own->variables[i].begin(copy, own->variables[i].original);
        }
    }
    return copy;
}

static void combine(const struct fl_kmp_reductions *own) {
    char *copy = (char *)own->words[FL_OMP_RED_COPIES];
    const uintptr_t *word = &own->words[FL_OMP_RED_VARIABLES];
    for (unsigned t = 0; t < own->threads; t++, copy += own->words[FL_OMP_RED_BYTES]) {
        for (unsigned i = 0; i < own->n; i++) {
            const struct variable *variable = &own->variables[i];
            char *from = copy + word[i * FL_OMP_RED_WORDS + 1];
            if (!own->begun[t * own->n + i]) {
                continue;
            }
            variable->combine(variable->address, from);
            if (variable->end) {
                variable->end(from);
            }
        }
    }
}

/* `turn` counts the members that have arrived here: all their tasks have ended. */
void fl_kmp_reductions_end(struct fl_omp_member *me, struct fl_kmp_reductions *own) {
    struct fl_omp_share *share = own->share;
    if (!share) {
        combine(own);
        free((void *)own->words[FL_OMP_RED_COPIES]);
    } else {
        /* [P1] pairs itself: the last one sees what the tasks of all wrote. */
        uint64_t arrived = atomic_fetch_add_explicit(&share->turn, 1, memory_order_acq_rel) + 1;
        fl_assert(arrived <= me->team->n);
        if (arrived == me->team->n) {
            combine(own);
        }
        me->loop.share = share;
        fl_omp_share_end(me);
    }
    free(own);
}
