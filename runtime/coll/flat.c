/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each member copies what it gets (pull), or what it has for others (push), straight from memory to
 * memory. Who copies has its own side, and the others have theirs: a member whose memory others
 * touch posts that it has come, those wait for that alone, and it waits until they are done. Who
 * copies from or to all begins with itself and goes round, so that not all touch the same member's
 * memory at once.
 *
 * Between hosts, blocks travel while their mover goes on, and all members wait for all where they
 * should wait for some.
 */
#include "coll/shape.h"
#include "comm/comm.h"

/* A way round: pull has dst as its own side, push src. */
struct way {
    const struct fl_coll_move *move;
    const struct fl_coll_side *own, *theirs;
    bool pull;
};

static struct way way_of(const struct fl_coll_move *move, bool pull) {
    return (struct way){move, pull ? &move->dst : &move->src, pull ? &move->src : &move->dst, pull};
}

/* Members other than the caller that touch the memory of its part of their side. */
static unsigned visitors(const struct fl_coll_call *call, const struct way *way) {
    unsigned me = fl_coll_me(call);
    if (!fl_coll_has(way->theirs, way->move, me)) {
        return 0;
    }
    if (way->move->perm) {
        return fl_coll_target(call, way->move, me) != me;
    }
    return (way->own->all ? call->team->members : 1) - fl_coll_has(way->own, way->move, me);
}

static unsigned visitors_of(const struct fl_coll_call *call, const struct way *way, unsigned rank) {
    if (way->move->perm) {
        return 1;
    }
    return (way->own->all ? call->team->members : 1) - fl_coll_has(way->own, way->move, rank);
}

static void copy(const struct fl_coll_call *call, const struct way *way, unsigned with,
                 struct fl_comm_op *op) {
    unsigned me = fl_coll_me(call), from = way->pull ? with : me, to = way->pull ? me : with;
    char *dst = fl_coll_dst(call, way->move, to, from);
    const char *src = fl_coll_src(call, way->move, from, to);
    if (FL_LIKELY(fl_comm_is_here((uint64_t)dst) & fl_comm_is_here((uint64_t)src))) {
        memmove(dst, src, way->move->bytes);
    } else {
        fl_comm_copy_nb((uint64_t)dst, (uint64_t)src, way->move->bytes, op);
    }
}

static void visit(const struct fl_coll_call *call, const struct way *way, unsigned with,
                  struct fl_comm_op *op) {
    bool other = with != fl_coll_me(call);
    if (other && call->in == FL_COLL_MINE) {
        fl_coll_take(call, with);
    }
    copy(call, way, with, op);
    if (other && call->out == FL_COLL_MINE) {
        fl_coll_ack(call, with, visitors_of(call, way, with));
    }
}

static void visit_all(const struct fl_coll_call *call, const struct way *way) {
    unsigned me = fl_coll_me(call), with = me;
    struct fl_comm_op op = {0};
    if (way->move->perm) {
        visit(call, way, fl_coll_target(call, way->move, me), &op);
    } else if (!way->theirs->all) {
        visit(call, way, way->move->root, &op);
    } else {
        do {
            visit(call, way, with, &op);
            with = fl_coll_next(call->team, with);
        } while (with != me);
    }
    if (FL_UNLIKELY(!fl_comm_here.one_host)) {
        fl_comm_wait(&op);
    }
}

static void run(struct fl_coll_call *call, const struct way *way) {
    if (!fl_coll_one_host(call->team)) {
        call->in = call->in == FL_COLL_MINE ? FL_COLL_ALL : call->in;
        call->out = call->out == FL_COLL_MINE ? FL_COLL_ALL : call->out;
    }
    if (call->in == FL_COLL_ALL) {
        fl_coll_barrier(call);
    }
    unsigned others = visitors(call, way);
    if (call->in == FL_COLL_MINE || call->out == FL_COLL_MINE) {
        fl_coll_step(call);
    }
    if (call->in == FL_COLL_MINE && others > 0) {
        fl_coll_post(call, fl_coll_cell(call, fl_coll_me(call)));
    }
    if (fl_coll_has(way->own, way->move, fl_coll_me(call))) {
        visit_all(call, way);
    }
    if (call->out == FL_COLL_MINE && others > 0) {
        fl_coll_await_acks(call, others);
    }
    if (call->out == FL_COLL_ALL) {
        fl_coll_barrier(call);
    }
}

void fl_coll_move_pull(struct fl_coll_call *call, const struct fl_coll_move *move) {
    const struct way way = way_of(move, !move->perm);
    run(call, &way);
}

void fl_coll_move_push(struct fl_coll_call *call, const struct fl_coll_move *move) {
    const struct way way = way_of(move, false);
    run(call, &way);
}
