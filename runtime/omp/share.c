/* SPDX-License-Identifier: BSD-3-Clause */
/* See share.h. */
#include "omp/share.h"

#include "core/assert.h"
#include "core/fatal.h"
#include "omp/barrier.h"
#include "omp/deal.h"
#include "omp/spans.h"

#include <stdlib.h>

static bool share_is_free(void *context) {
    struct fl_omp_member *me = context;
    const struct fl_omp_share *share = &me->team->shares[me->shares % FL_OMP_SHARES];
    /* [S2] pairs [S1]: the share is as the last to leave has reset it. */
    return atomic_load_explicit(&share->number, memory_order_seq_cst) == me->shares;
}

void fl_omp_share_begin(struct fl_omp_member *me) {
    if (FL_UNLIKELY(!share_is_free(me))) {
        fl_omp_wait(me, &me->team->bell, share_is_free, me, "a loop, for those far behind");
    }
    me->loop.share = &me->team->shares[me->shares++ % FL_OMP_SHARES];
    me->loop.number = fl_omp_span_number(me);
    /* Members stay below 2^16: sums cannot overflow. */
    enum { SIMPLE_BITS = 47 };
    me->loop.simple = me->loop.schedule == FL_OMP_DYNAMIC && !me->team->far && !me->loop.ordered &&
                      me->loop.count >> SIMPLE_BITS == 0;
    fl_omp_deal_begin(me);
}

/* Relaxed: published by the number, or by the state of the team. */
static void reset(struct fl_omp_share *share) {
    share->from = share->to = 0;
    share->zeros = NULL;
    atomic_store_explicit(&share->taken, 0, memory_order_relaxed);
    atomic_store_explicit(&share->left, 0, memory_order_relaxed);
    atomic_store_explicit(&share->turn, 0, memory_order_relaxed);
    for (unsigned i = 0; i < 2; i++) {
        void *memory = atomic_load_explicit(&share->memory[i], memory_order_relaxed);
        if (FL_UNLIKELY(memory)) {
            free(memory);
            atomic_store_explicit(&share->memory[i], NULL, memory_order_relaxed);
        }
    }
}

void fl_omp_share_end(struct fl_omp_member *me) {
    struct fl_omp_share *share = me->loop.share;
    me->loop.share = NULL;
    if (FL_UNLIKELY(me->team->far)) {
        fl_omp_far_settle();
    }
    /* [S3] pairs itself: the last to leave sees that the others no longer use it. */
    uint32_t left = atomic_fetch_add_explicit(&share->left, 1, memory_order_acq_rel) + 1;
    fl_assert(left <= me->team->n);
    if (left == me->team->n) {
        reset(share);
        /* Relaxed: only the last to leave changes it. [S1] pairs [S2]. */
        uint64_t next = atomic_load_explicit(&share->number, memory_order_relaxed) + FL_OMP_SHARES;
        fl_assert(next % FL_OMP_SHARES == (uint64_t)(share - me->team->shares));
        fl_assert(next - FL_OMP_SHARES < me->shares);
        atomic_exchange_explicit(&share->number, next, memory_order_seq_cst);
        fl_wait_ring(&me->team->bell);
    }
}

void fl_omp_shares_wipe(struct fl_omp_share *shares, uint64_t used) {
    for (unsigned i = 0; i < FL_OMP_SHARES && i < used; i++) {
        reset(&shares[i]);
        atomic_store_explicit(&shares[i].number, i, memory_order_relaxed); /* as reset */
    }
}

static FL_COLD void *memory_of_all_hosts(struct fl_omp_member *me, unsigned use, size_t bytes) {
    struct fl_omp_share *share = me->loop.share;
    fl_mutex_lock(&share->lock);
    if (!share->zeros) {
        share->zeros = fl_omp_span_zeros(me, use, bytes);
    }
    fl_mutex_unlock(&share->lock);
    return share->zeros;
}

void *fl_omp_share_memory(struct fl_omp_member *me, unsigned use, size_t bytes) {
    return FL_UNLIKELY(me->team->far) ? memory_of_all_hosts(me, use, bytes)
                                      : fl_omp_share_memory_here(me, use, bytes);
}

void *fl_omp_share_memory_here(struct fl_omp_member *me, unsigned use, size_t bytes) {
    _Atomic(void *) *memory = &me->loop.share->memory[use];
    /* [S5] pairs [S4]: the first one's zeros. */
    void *known = atomic_load_explicit(memory, memory_order_acquire);
    if (known) {
        return known;
    }
    void *own = FL_ALLOCATED(calloc(1, bytes), "a worksharing construct: %zu bytes", bytes);
    /* [S4] pairs [S5]. */
    if (atomic_compare_exchange_strong_explicit(memory, &known, own, memory_order_acq_rel,
                                                memory_order_acquire)) {
        return own;
    }
    free(own);
    return known;
}

/* ---- pieces ---- */

/* The same division as compilers make inline for schedule(static). */
static bool take_block(struct fl_omp_member *me, uint64_t *from, uint64_t *to) {
    struct fl_omp_loop *loop = &me->loop;
    if (loop->pieces++) {
        return false;
    }
    fl_assert(me->number < me->size);
    uint64_t each = loop->count / me->size, rest = loop->count % me->size;
    uint64_t before = me->number < rest ? me->number : rest;
    *from = each * me->number + before;
    *to = *from + each + (me->number < rest);
    return *from < *to;
}

static bool take_static(struct fl_omp_member *me, uint64_t *from, uint64_t *to) {
    struct fl_omp_loop *loop = &me->loop;
    if (loop->chunk == 0) {
        return take_block(me, from, to);
    }
    /* Where the piece begins; an overflow ends the loop. */
    uint64_t at;
    if (__builtin_mul_overflow(loop->pieces * me->size + me->number, loop->chunk, &at) ||
        at >= loop->count) {
        return false;
    }
    loop->pieces++;
    *from = at;
    *to = loop->count - at < loop->chunk ? loop->count : at + loop->chunk;
    return true;
}

/* Size of the next piece when `left` iterations are left. */
static uint64_t part_of(const struct fl_omp_member *me, uint64_t left) {
    const struct fl_omp_loop *loop = &me->loop;
    uint64_t part = loop->schedule == FL_OMP_GUIDED ? (left - 1) / me->size + 1 : loop->chunk;
    return part < loop->chunk ? loop->chunk : part;
}

/* Relaxed: as fl_omp_loop_take. */
static bool take_part(struct fl_omp_member *me, uint64_t *from, uint64_t *to) {
    struct fl_omp_loop *loop = &me->loop;
    _Atomic uint64_t *taken = &loop->share->taken;
    uint64_t at = atomic_load_explicit(taken, memory_order_relaxed), end;
    do {
        if (at >= loop->count) {
            return false;
        }
        uint64_t left = loop->count - at, part = part_of(me, left);
        end = left < part ? loop->count : at + part;
    } while (!atomic_compare_exchange_weak_explicit(taken, &at, end, memory_order_relaxed,
                                                    memory_order_relaxed));
    *from = at;
    *to = end;
    return true;
}

/* Takes iterations from the host's batch, which is filled again when it is empty. */
static FL_COLD bool take_far(struct fl_omp_member *me, uint64_t *from, uint64_t *to) {
    struct fl_omp_loop *loop = &me->loop;
    struct fl_omp_share *share = loop->share;
    fl_mutex_lock(&share->lock);
    bool any = share->from < share->to || fl_omp_span_take(me, &share->from, &share->to);
    if (any) {
        uint64_t left = share->to - share->from, part = part_of(me, loop->count - share->from);
        *from = share->from;
        *to = share->from += left < part ? left : part;
        fl_assert(share->from <= share->to);
    }
    fl_mutex_unlock(&share->lock);
    return any;
}

static bool take(struct fl_omp_member *me, uint64_t *from, uint64_t *to) {
    if (me->loop.dealt) {
        return fl_omp_deal_take(me, from, to);
    }
    if (me->loop.schedule == FL_OMP_STATIC) {
        return take_static(me, from, to);
    }
    if (FL_UNLIKELY(me->team->far)) {
        return take_far(me, from, to);
    }
    if (me->loop.simple) {
        return fl_omp_loop_take(&me->loop, from, to);
    }
    return take_part(me, from, to);
}

bool fl_omp_share_take(struct fl_omp_member *me, uint64_t *from, uint64_t *to) {
    bool any = take(me, from, to);
    fl_assert(!any || (*from < *to && *to <= me->loop.count));
    return any;
}
