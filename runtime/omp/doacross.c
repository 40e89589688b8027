/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ordered(n) with depend: iterations of a nest of loops that wait for others. The outermost loop is
 * divided among members, and each of its iterations is executed by one, in the order of the loops
 * inside: so the progress of each is one number. OpenMP 5.1 §2.19.9.2.
 */
#include "core/assert.h"
#include "core/fatal.h"
#include "omp/barrier.h"
#include "omp/loop.h"
#include "omp/spans.h"

#include <stdarg.h>

static void describe(struct fl_omp_nest *nest, unsigned depth, const uint64_t *counts) {
    if (depth > FL_OMP_NEST) {
        fl_fatal(FL_CODE_OMP_LIMIT, "ordered(%u): at most %u loops can be ordered together", depth,
                 (unsigned)FL_OMP_NEST);
    }
    nest->depth = depth;
    for (unsigned i = 0; i < depth; i++) {
        nest->counts[i] = counts[i];
    }
}

/* Allocates the progress of outer iterations; the member is in the nest's construct. */
static void prepare(struct fl_omp_member *me, unsigned outer) {
    struct fl_omp_nest *nest = &me->nest;
    uint64_t n = 1;
    fl_assert(outer > 0 && outer <= nest->depth);
    nest->outer = outer;
    for (unsigned i = 0; i < outer; i++) {
        n *= nest->counts[i];
    }
    /* Over several hosts: this host's own, which caches the progress of others. */
    size_t bytes = (size_t)(n ? n : 1) * sizeof(_Atomic uint64_t);
    nest->done = fl_omp_share_memory_here(me, FL_OMP_MEMORY_NEST, bytes);
}

void fl_omp_doacross_begin(struct fl_omp_member *me, unsigned depth, const uint64_t *counts,
                           uint32_t schedule, uint64_t chunk) {
    describe(&me->nest, depth, counts);
    fl_omp_loop_begin(me, fl_omp_loop_make(true, 0, counts[0], 1, schedule | FL_OMP_MONOTONIC,
                                           chunk));
    me->nest.number = me->loop.number;
    prepare(me, 1);
}

void fl_omp_nest_begin(struct fl_omp_member *me, unsigned depth, const uint64_t *counts) {
    describe(&me->nest, depth, counts);
    me->loop = (struct fl_omp_loop){.share = NULL};
    fl_omp_share_begin(me);
    me->nest.share = me->loop.share;
    me->nest.number = me->loop.number;
    me->loop.share = NULL;
}

void fl_omp_nest_divided(struct fl_omp_member *me, unsigned outer) {
    me->loop.share = me->nest.share;
    prepare(me, outer);
    me->loop.share = NULL;
}

void fl_omp_nest_end(struct fl_omp_member *me) {
    me->loop.share = me->nest.share;
    fl_omp_share_end(me);
}

/* The iteration's number, from 0, in the order of the loops [from, to) of the nest. */
static uint64_t place(const struct fl_omp_nest *nest, const uint64_t *iteration, unsigned from,
                      unsigned to) {
    uint64_t at = 0;
    for (unsigned i = from; i < to; i++) {
        at = at * nest->counts[i] + iteration[i];
    }
    return at;
}

static uint64_t outside(const struct fl_omp_nest *nest, const uint64_t *iteration) {
    return place(nest, iteration, 0, nest->outer);
}

static uint64_t inside(const struct fl_omp_nest *nest, const uint64_t *iteration) {
    return place(nest, iteration, nest->outer, nest->depth) + 1;
}

void fl_omp_nest_post(struct fl_omp_member *me, const uint64_t *iteration) {
    struct fl_omp_nest *nest = &me->nest;
    uint64_t outer = outside(nest, iteration);
    /* [X1] pairs [X2]. */
    uint64_t before = atomic_exchange_explicit(&nest->done[outer], inside(nest, iteration),
                                               memory_order_seq_cst);
    fl_assert(before <= inside(nest, iteration));
    if (FL_UNLIKELY(me->team->far)) {
        fl_omp_far_post_soon(nest->number, 1 + outer, inside(nest, iteration));
    } else {
        fl_wait_ring(fl_omp_turn_bell(me->team, outer));
    }
}

struct wanted {
    _Atomic uint64_t *done;
    uint64_t least;
};

static bool is_done(void *context) {
    const struct wanted *wanted = context;
    /* [X2] pairs [X1], [X3]: what the iteration wrote is seen. */
    return atomic_load_explicit(wanted->done, memory_order_seq_cst) >= wanted->least;
}

/* Caches the progress of another host: threads of this one need not ask for it again. */
static void note_done(_Atomic uint64_t *done, uint64_t value) {
    uint64_t before = atomic_load_explicit(done, memory_order_relaxed);
    /* [X3] pairs [X2]: what this host has learnt of with the word is seen. */
    while (before < value && !atomic_compare_exchange_weak_explicit(
                                 done, &before, value, memory_order_seq_cst, memory_order_relaxed)) {
    }
}

void fl_omp_nest_wait(struct fl_omp_member *me, const uint64_t *iteration) {
    struct fl_omp_nest *nest = &me->nest;
    uint64_t outer = outside(nest, iteration);
    struct wanted wanted = {&nest->done[outer], inside(nest, iteration)};
    if (FL_LIKELY(!me->team->far)) {
        fl_omp_wait(me, fl_omp_turn_bell(me->team, outer), is_done, &wanted, "an ordered loop");
    } else if (!is_done(&wanted)) { /* else a thread of this host has executed it, or asked */
        note_done(wanted.done, fl_omp_far_await(nest->number, 1 + outer, wanted.least));
    }
}

FL_OMP_API void GOMP_doacross_post(long *iteration) {
    fl_omp_nest_post(fl_omp_self(), (const uint64_t *)iteration);
}

FL_OMP_API void GOMP_doacross_ull_post(unsigned long long *iteration) {
    fl_omp_nest_post(fl_omp_self(), (const uint64_t *)iteration);
}

/* The caller passes as many numbers as the nest has loops. */
#define WAIT(type)                                                                                 \
    uint64_t iteration[FL_OMP_NEST];                                                               \
    iteration[0] = (uint64_t)first;                                                                \
    va_list others;                                                                                \
    va_start(others, first);                                                                       \
    for (unsigned i = 1; i < fl_omp_me->nest.depth; i++) {                                         \
        iteration[i] = (uint64_t)va_arg(others, type);                                             \
    }                                                                                              \
    va_end(others);                                                                                \
    fl_omp_nest_wait(fl_omp_me, iteration)

FL_OMP_API void GOMP_doacross_wait(long first, ...) {
    WAIT(long);
}

FL_OMP_API void GOMP_doacross_ull_wait(unsigned long long first, ...) {
    WAIT(unsigned long long);
}
