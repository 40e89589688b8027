/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each member copies what it gets (pull), or what it has for others (push), straight from memory to
 * memory. One side is that of the members that copy, the other that of the others: a member whose
 * memory others touch posts its arrival, they wait for that alone, and it waits for their
 * acknowledgements. A member that copies from or to all begins with itself and goes round, so that
 * not all touch the same member's memory at once. In a permutation only the source knows its
 * target: it tells the target, which pulls.
 *
 * Copies between hosts do not block. Where all members touch each other's memory, they wait for all
 * at once: on several hosts always, on one if they are many, or two.
 */
#include "coll/between.h"
#include "coll/shape.h"
#include "comm/comm.h"

/* `pull` is a constant in what follows: there are two of each function. */
#define VARIANT static inline __attribute__((always_inline))

/* The side of the members that copy, and that of the others. */
VARIANT const struct fl_coll_side *own(const struct fl_coll_move *move, bool pull) {
    return pull ? &move->dst : &move->src;
}

VARIANT const struct fl_coll_side *theirs(const struct fl_coll_move *move, bool pull) {
    return pull ? &move->src : &move->dst;
}

/* Members other than this one that touch its memory, if it has any of their side. */
VARIANT unsigned visitors(const struct fl_coll_call *call, const struct fl_coll_move *move,
                          unsigned rank, bool pull) {
    const struct fl_coll_side *side = own(move, pull);
    if (move->perm) {
        return 1;
    }
    return (side->all ? call->team->members : 1) - fl_coll_has(side, move, rank);
}

VARIANT bool is_visited(const struct fl_coll_call *call, const struct fl_coll_move *move,
                        bool pull) {
    unsigned me = fl_coll_me(call);
    if (move->perm) {
        return fl_coll_target(call, move, me) != me;
    }
    return fl_coll_has(theirs(move, pull), move, me) && visitors(call, move, me, pull) > 0;
}

/* Posts the member's arrival to the members that touch its memory. */
VARIANT void announce(const struct fl_coll_call *call, const struct fl_coll_move *move,
                      bool pull) {
    unsigned me = fl_coll_me(call);
    if (fl_coll_one_host(call->team)) {
        fl_coll_post(call, fl_coll_cell(call, me));
    } else if (own(move, pull)->all) {
        fl_coll_post_for_all(call, 0);
    } else {
        fl_coll_post_for(call, me, 0, move->root);
    }
}

VARIANT void copy(const struct fl_coll_call *call, const struct fl_coll_move *move, unsigned with,
                  struct fl_comm_op *op, bool pull) {
    unsigned me = fl_coll_me(call), from = pull ? with : me, to = pull ? me : with;
    char *dst = fl_coll_dst(call, move, to, from);
    const char *src = fl_coll_src(call, move, from, to);
    if (FL_LIKELY(fl_comm_is_here((uint64_t)dst) & fl_comm_is_here((uint64_t)src))) {
        fl_coll_copy_block(dst, src, move->bytes);
    } else {
        fl_comm_copy_nb((uint64_t)dst, (uint64_t)src, move->bytes, op);
    }
}

VARIANT void visit(const struct fl_coll_call *call, const struct fl_coll_move *move, unsigned with,
                   struct fl_comm_op *op, bool pull) {
    bool other = with != fl_coll_me(call);
    if (other && call->in == FL_COLL_MINE) {
        fl_coll_take(call, with);
    }
    copy(call, move, with, op, pull);
    if (other && call->out == FL_COLL_MINE) {
        if (FL_UNLIKELY(!fl_comm_here.one_host)) {
            fl_comm_wait(op);
        }
        unsigned of = visitors(call, move, with, pull);
        fl_coll_ack(call, with, of, own(move, pull)->all ? call->team->here : 1);
    }
}

VARIANT void visit_all(const struct fl_coll_call *call, const struct fl_coll_move *move,
                       bool pull) {
    unsigned me = fl_coll_me(call), with = me;
    struct fl_comm_op op = {0};
    if (move->perm) {
        visit(call, move, fl_coll_target(call, move, me), &op, pull);
    } else if (!theirs(move, pull)->all) {
        visit(call, move, move->root, &op, pull);
    } else {
        do {
            visit(call, move, with, &op, pull);
            with = fl_coll_next(call->team, with);
        } while (with != me);
    }
    if (FL_UNLIKELY(!fl_comm_here.one_host)) {
        fl_comm_wait(&op);
    }
}

/* Members from which on it takes longer to wait for each of them than for all at once. */
enum { MANY = 33 };

VARIANT bool waits_for_all(const struct fl_coll_call *call, const struct fl_coll_move *move,
                           bool pull) {
    unsigned members = call->team->members;
    bool everybody = move->dst.all && move->src.all;
    if (!fl_coll_one_host(call->team)) {
        return everybody;
    }
    if (move->perm) {
        /* With FL_COLL_ALL the caller may read its target only after all have arrived. */
        return members == 2 && call->in != FL_COLL_ALL && is_visited(call, move, pull);
    }
    return everybody && (members >= MANY || members == 2);
}

VARIANT void run(struct fl_coll_call *call, const struct fl_coll_move *move, bool pull) {
    if (call->in == FL_COLL_ALL) {
        fl_coll_barrier(call);
    }
    if (waits_for_all(call, move, pull)) {
        if (call->in == FL_COLL_MINE) {
            call->in = FL_COLL_ALL;
            fl_coll_barrier(call);
        }
        call->out = call->out == FL_COLL_MINE ? FL_COLL_ALL : call->out;
    }
    bool visited = false;
    if (call->in == FL_COLL_MINE || call->out == FL_COLL_MINE) {
        fl_coll_step(call);
        visited = is_visited(call, move, pull);
    }
    if (call->in == FL_COLL_MINE && visited) {
        announce(call, move, pull);
    }
    if (fl_coll_has(own(move, pull), move, fl_coll_me(call))) {
        visit_all(call, move, pull);
    }
    if (call->out == FL_COLL_MINE && visited) {
        fl_coll_await_acks(call, visitors(call, move, fl_coll_me(call), pull));
    }
    if (call->out == FL_COLL_ALL) {
        fl_coll_barrier(call);
    }
}

/* The source leaves its rank in the target's cell. */
static void pull_permuted(struct fl_coll_call *call, const struct fl_coll_move *move) {
    struct fl_comm_op op = {0};
    if (call->in == FL_COLL_ALL) {
        fl_coll_barrier(call);
    }
    fl_coll_step(call);
    unsigned me = fl_coll_me(call), from = me, to = fl_coll_target(call, move, me);
    if (to != me) {
        memcpy(fl_coll_cell(call, to)->bytes, &me, sizeof me);
        fl_coll_post_for(call, to, sizeof me, to);
        memcpy(&from, fl_coll_take(call, me)->bytes, sizeof from);
    }
    copy(call, move, from, &op, true);
    fl_comm_wait(&op);
    if (to != me && call->out == FL_COLL_MINE) {
        fl_coll_ack(call, from, 1, 1);
        fl_coll_await_acks(call, 1);
    }
    if (call->out == FL_COLL_ALL) {
        fl_coll_barrier(call);
    }
}

void fl_coll_move_pull(struct fl_coll_call *call, const struct fl_coll_move *move) {
    if (move->perm) {
        pull_permuted(call, move);
    } else {
        run(call, move, true);
    }
}

void fl_coll_move_push(struct fl_coll_call *call, const struct fl_coll_move *move) {
    run(call, move, false);
}
