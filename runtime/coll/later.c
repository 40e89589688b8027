/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rendezvous: of two members between which blocks go, the later to arrive copies them, in either
 * direction. So blocks move as soon as they may, by threads that run already, and a member that has
 * waited only goes on. Each member waits once, and the last one not at all; members that copy for
 * themselves wait for the others' arrival and then for their copies. On one host.
 *
 * If all give to all, each member finds the earlier arrivals on a list, and all wait for the last
 * copy. Otherwise two members between which blocks go meet at the cell of one of them.
 */
#include "coll/shape.h"

#include "core/assert.h"

/* Puts the caller on the list of arrivals. Returns the member before it, as 1 + its rank; 0: none. */
static uint32_t enter(const struct fl_coll_call *call) {
    unsigned me = fl_coll_me(call);
    struct fl_coll_cell *cell = fl_coll_cell(call, me);
    _Atomic uint32_t *latest = &call->team->center->latest[call->step % FL_COLL_RING];
    uint32_t before = atomic_load_explicit(latest, memory_order_relaxed);
    do {
        memcpy(cell->bytes, &before, sizeof before);
        /* [K9] pairs itself: a later member reads the list from this one on, and copies what it
         * wrote. */
    } while (!atomic_compare_exchange_weak_explicit(latest, &before, me + 1, memory_order_acq_rel,
                                                    memory_order_relaxed));
    return before;
}

static void move_among_all(const struct fl_coll_call *call, const struct fl_coll_move *move) {
    unsigned me = fl_coll_me(call);
    uint32_t other = enter(call);
    fl_coll_copy(call, move, me, me);
    while (other > 0) {
        fl_assert(other - 1 != me);
        fl_coll_copy(call, move, me, other - 1);
        fl_coll_copy(call, move, other - 1, me);
        memcpy(&other, fl_coll_cell(call, other - 1)->bytes, sizeof other);
    }
    if (fl_coll_arrive(call)) {
        fl_assert(fl_coll_one_host(call->team));
        /* Relaxed: all have read it, and the step that has it next begins after their halves. */
        atomic_store_explicit(&call->team->center->latest[call->step % FL_COLL_RING], 0,
                              memory_order_relaxed);
        fl_coll_over(call);
    } else if (call->out != FL_COLL_NONE) {
        fl_coll_await_over(call);
    }
}

/* Two members meet at the cell of one, `at`, which gives to or gets from the other: the second
 * copies. */
static void meet(const struct fl_coll_call *call, const struct fl_coll_move *move, unsigned at) {
    struct fl_coll_cell *cell = fl_coll_cell(call, at);
    unsigned from = move->dst.all ? move->root : at, to = move->dst.all ? at : move->root;
    /* [K8] pairs itself: the second sees what the first wrote before. */
    uint32_t before = atomic_fetch_add_explicit(&cell->acks, 2, memory_order_acq_rel);
    fl_assert(before == 0 || before == 2);
    if (before == 0) {
        return;
    }
    /* Relaxed: the step that has this cell next begins only when the caller has ended its half. */
    atomic_store_explicit(&cell->acks, 0, memory_order_relaxed);
    if (move->perm) {
        memcpy(&from, cell->bytes, sizeof from);
    }
    fl_coll_copy(call, move, from, to);
    fl_coll_post(call, cell);
}

static void await(const struct fl_coll_call *call, unsigned at) {
    if (call->out != FL_COLL_NONE) {
        fl_coll_take(call, at);
    }
}

static void permute(const struct fl_coll_call *call, const struct fl_coll_move *move) {
    unsigned me = fl_coll_me(call), to = fl_coll_target(call, move, me);
    if (to == me) {
        fl_coll_copy(call, move, me, me);
        return;
    }
    /* The target does not know its source. */
    memcpy(fl_coll_cell(call, to)->bytes, &me, sizeof me);
    meet(call, move, to);
    meet(call, move, me);
    await(call, to);
    await(call, me);
}

static void move_with_all(const struct fl_coll_call *call, const struct fl_coll_move *move) {
    unsigned me = fl_coll_me(call);
    for (unsigned at = fl_coll_next(call->team, me); at != me; at = fl_coll_next(call->team, at)) {
        meet(call, move, at);
    }
    fl_coll_copy(call, move, me, me);
    for (unsigned at = fl_coll_next(call->team, me); at != me; at = fl_coll_next(call->team, at)) {
        await(call, at);
    }
}

void fl_coll_move_later(struct fl_coll_call *call, const struct fl_coll_move *move) {
    if (call->in == FL_COLL_ALL) {
        fl_coll_barrier(call);
    }
    fl_coll_step(call);
    if (move->dst.all && move->src.all && !move->perm) {
        move_among_all(call, move);
        return;
    }
    if (move->perm) {
        permute(call, move);
    } else if (fl_coll_me(call) == move->root) {
        move_with_all(call, move);
    } else {
        meet(call, move, fl_coll_me(call));
        await(call, fl_coll_me(call));
    }
    if (call->out == FL_COLL_ALL) {
        fl_coll_barrier(call);
    }
}
