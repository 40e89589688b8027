/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * omp_lock_t and omp_nest_lock_t. The <omp.h> of gcc has 4 and 16 bytes for them, that of clang 8
 * and 8, and Fortran a pointer each: so a nest lock is a pointer to one. Hints are ignored: all
 * locks are for both much and little contention. OpenMP 5.1 §3.9.
 */
#include "core/assert.h"
#include "core/fatal.h"
#include "omp/lock.h"
#include "omp/team.h"

#include <stdlib.h>

typedef _Atomic uint32_t word;

struct nest_lock {
    word lock;
    uint32_t count;
    _Atomic uint64_t owner; /* 0: none */
};
_Static_assert(sizeof(struct nest_lock) == 16, "what it is aligned to");

FL_OMP_API void omp_init_lock(word *lock) {
    atomic_init(lock, FL_OMP_FREE);
}

FL_OMP_API void omp_init_lock_with_hint(word *lock, int hint) {
    (void)hint;
    omp_init_lock(lock);
}

FL_OMP_API void omp_destroy_lock(word *lock) {
    (void)lock;
}

FL_OMP_API void omp_set_lock(word *lock) {
    fl_omp_lock(lock, "omp_set_lock");
}

FL_OMP_API void omp_unset_lock(word *lock) {
    fl_omp_unlock(lock);
}

FL_OMP_API int omp_test_lock(word *lock) {
    return fl_omp_lock_try(lock);
}

FL_OMP_API void omp_init_nest_lock(struct nest_lock **nest) {
    *nest = FL_ALLOCATED(fl_omp_program_memory(sizeof **nest, sizeof **nest), "a nestable lock");
    omp_init_lock(&(*nest)->lock);
    (*nest)->count = 0;
    atomic_init(&(*nest)->owner, 0);
}

FL_OMP_API void omp_init_nest_lock_with_hint(struct nest_lock **nest, int hint) {
    (void)hint;
    omp_init_nest_lock(nest);
}

FL_OMP_API void omp_destroy_nest_lock(struct nest_lock **nest) {
    free(*nest);
    *nest = NULL;
}

/* A name for the calling task, with the host in it: other hosts have tasks at the same
 * addresses. */
static uint64_t oneself(void) {
    uint64_t host = fl_omp_spread() ? fl_omp_far.me : 0;
    return (uint64_t)(uintptr_t)fl_omp_self()->task | host << 48;
}

/* Relaxed, here and below: a task that reads its own name has written it; any other value, old or
 * new, is not its name. */
static bool is_mine(struct nest_lock *nest, uint64_t task) {
    return atomic_load_explicit(&nest->owner, memory_order_relaxed) == task;
}

static void own(struct nest_lock *nest, uint64_t task) {
    atomic_store_explicit(&nest->owner, task, memory_order_relaxed);
}

FL_OMP_API void omp_set_nest_lock(struct nest_lock **lock) {
    struct nest_lock *nest = *lock;
    uint64_t task = oneself();
    if (!is_mine(nest, task)) {
        fl_omp_lock(&nest->lock, "omp_set_nest_lock");
        fl_assert(nest->count == 0);
        own(nest, task);
    }
    nest->count++;
}

FL_OMP_API void omp_unset_nest_lock(struct nest_lock **lock) {
    struct nest_lock *nest = *lock;
    if (--nest->count == 0) {
        own(nest, 0);
        fl_omp_unlock(&nest->lock);
    }
}

FL_OMP_API int omp_test_nest_lock(struct nest_lock **lock) {
    struct nest_lock *nest = *lock;
    uint64_t task = oneself();
    if (!is_mine(nest, task)) {
        if (!fl_omp_lock_try(&nest->lock)) {
            return 0;
        }
        fl_assert(nest->count == 0);
        own(nest, task);
    }
    return (int)++nest->count;
}

/* ---- Fortran: all arguments by address, as locks are in any case ---- */

FL_OMP_ALIAS(void, omp_init_lock_, (word *), omp_init_lock);
FL_OMP_ALIAS(void, omp_destroy_lock_, (word *), omp_destroy_lock);
FL_OMP_ALIAS(void, omp_set_lock_, (word *), omp_set_lock);
FL_OMP_ALIAS(void, omp_unset_lock_, (word *), omp_unset_lock);
FL_OMP_ALIAS(int, omp_test_lock_, (word *), omp_test_lock);
FL_OMP_ALIAS(void, omp_init_nest_lock_, (struct nest_lock **), omp_init_nest_lock);
FL_OMP_ALIAS(void, omp_destroy_nest_lock_, (struct nest_lock **), omp_destroy_nest_lock);
FL_OMP_ALIAS(void, omp_set_nest_lock_, (struct nest_lock **), omp_set_nest_lock);
FL_OMP_ALIAS(void, omp_unset_nest_lock_, (struct nest_lock **), omp_unset_nest_lock);
FL_OMP_ALIAS(int, omp_test_nest_lock_, (struct nest_lock **), omp_test_nest_lock);

FL_OMP_API void omp_init_lock_with_hint_(word *lock, const int32_t *hint) {
    omp_init_lock_with_hint(lock, *hint);
}

FL_OMP_API void omp_init_nest_lock_with_hint_(struct nest_lock **nest, const int32_t *hint) {
    omp_init_nest_lock_with_hint(nest, *hint);
}
