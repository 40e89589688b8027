/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A broadcast down a binomial tree: each member copies from its parent's block, as soon as that has
 * it, and is done when its children have copied from its own. No member's memory is read by more
 * than log2(members) others, and none waits for more. On one host.
 */
#include "coll/shape.h"

/* Members by their distance from the root, in the order of ranks. A parent's number is its child's
 * without the lowest 1. */
static unsigned rank_of(const struct fl_coll_call *call, const struct fl_coll_move *move,
                        unsigned number) {
    return (unsigned)(((uint64_t)number + move->root) % call->team->members);
}

static unsigned number_of(const struct fl_coll_call *call, const struct fl_coll_move *move) {
    unsigned me = fl_coll_me(call), members = call->team->members;
    return me >= move->root ? me - move->root : me + members - move->root;
}

static unsigned children_of(const struct fl_coll_call *call, unsigned number) {
    unsigned n = 0, lowest = number ? number & -number : call->team->members;
    for (unsigned bit = 1; bit < lowest && number + bit < call->team->members; bit *= 2) {
        n++;
    }
    return n;
}

static void copy_from_parent(const struct fl_coll_call *call, const struct fl_coll_move *move,
                             unsigned parent) {
    unsigned from = rank_of(call, move, parent), me = fl_coll_me(call);
    fl_coll_take(call, from);
    memcpy(fl_coll_dst(call, move, me, from),
           parent ? fl_coll_dst(call, move, from, me) : fl_coll_src(call, move, from, me),
           move->bytes);
}

void fl_coll_move_tree(struct fl_coll_call *call, const struct fl_coll_move *move) {
    if (call->in == FL_COLL_ALL) {
        fl_coll_barrier(call);
    }
    fl_coll_step(call);
    unsigned me = fl_coll_me(call), number = number_of(call, move);
    unsigned parent = number & (number - 1), children = children_of(call, number);
    if (number) {
        copy_from_parent(call, move, parent);
    }
    if (children) {
        fl_coll_post(call, fl_coll_cell(call, me));
    }
    if (number == 0) {
        fl_coll_copy(call, move, me, me);
    }
    if (number && call->out == FL_COLL_MINE) {
        unsigned siblings = children_of(call, parent);
        fl_coll_ack(call, rank_of(call, move, parent), siblings, siblings);
    }
    if (children && call->out == FL_COLL_MINE) {
        fl_coll_await_acks(call, children);
    }
    if (call->out == FL_COLL_ALL) {
        fl_coll_barrier(call);
    }
}
