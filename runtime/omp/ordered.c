/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `ordered` regions of loops. Pieces are given out in the order of iterations, and each is executed
 * by one member from its first to its last: so it suffices that pieces take turns. The turn is the
 * number of iterations that are through. OpenMP 5.1 §2.19.9.
 */
#include "core/assert.h"
#include "omp/barrier.h"
#include "omp/loop.h"
#include "omp/spans.h"

static bool has_turn(void *context) {
    const struct fl_omp_loop *loop = context;
    /* [O2] pairs [O1]: what the piece before wrote is seen. */
    return atomic_load_explicit(&loop->share->turn, memory_order_seq_cst) == loop->from;
}

void fl_omp_ordered_wait(struct fl_omp_member *me) {
    if (me->loop.in_turn) {
        return;
    }
    me->loop.in_turn = true;
    if (FL_UNLIKELY(me->team->far)) {
        fl_omp_far_await(me->loop.number, 0, me->loop.from);
        return;
    }
    if (FL_UNLIKELY(fl_omp_loop_holds_back(me))) {
        for (unsigned i = 0; i < FL_OMP_MERE_LOOKS && !has_turn(&me->loop); i++) {
        }
    }
    fl_omp_wait(me, fl_omp_turn_bell(me->team, me->loop.from), has_turn, &me->loop, "ordered");
}

void fl_omp_ordered_pass(struct fl_omp_member *me) {
    struct fl_omp_loop *loop = &me->loop;
    if (loop->from == loop->to) {
        return;
    }
    fl_omp_ordered_wait(me); /* the piece may have had no ordered region */
    if (FL_UNLIKELY(me->team->far)) {
        fl_omp_far_post(loop->number, 0, loop->to);
    } else {
        /* [O1] pairs [O2]. */
        uint64_t turn =
            atomic_exchange_explicit(&loop->share->turn, loop->to, memory_order_seq_cst);
        fl_assert(turn == loop->from && turn < loop->to);
        fl_wait_ring(fl_omp_turn_bell(me->team, loop->to));
    }
    loop->from = loop->to;
    loop->in_turn = false;
}

FL_OMP_API void GOMP_ordered_start(void) {
    struct fl_omp_member *me = fl_omp_self();
    if (me->loop.share) { /* else the region is outside of a loop, or the loop is not shared */
        fl_omp_ordered_wait(me);
    }
}

FL_OMP_API void GOMP_ordered_end(void) {
    /* The turn goes on with the end of the piece. */
}
