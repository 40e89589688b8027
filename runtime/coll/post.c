/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Eager: blocks travel in cells and windows, copied twice. A source leaves its blocks in its own
 * cell, for all members that need them, and goes on; a member that gets from one other only finds
 * its block in its own cell. Each member touches its own memory alone, so members wait only for
 * data. Between hosts all that one has for another goes together: what one member gives, or what
 * each has left.
 */
#include "coll/between.h"
#include "coll/shape.h"

/* Whether every member gets from at most one other, which leaves the block in the member's cell. */
static bool is_addressed(const struct fl_coll_move *move) {
    return move->perm || (!move->src.all && move->src.table);
}

/* Leaves a block in the cell of the member that gets it. */
static void leave_for(const struct fl_coll_call *call, const struct fl_coll_move *move,
                      unsigned to) {
    unsigned me = fl_coll_me(call);
    fl_coll_copy_block(fl_coll_bytes_at(call, to, move->bytes), fl_coll_src(call, move, me, to),
                       move->bytes);
}

static void take_own(const struct fl_coll_call *call, const struct fl_coll_move *move) {
    unsigned me = fl_coll_me(call);
    fl_coll_take(call, me);
    fl_coll_copy_block(fl_coll_dst(call, move, me, move->root),
                       fl_coll_bytes_at(call, me, move->bytes), move->bytes);
}

static void give_to_each(const struct fl_coll_call *call, const struct fl_coll_move *move) {
    for (unsigned to = 0; to < call->team->members; to++) {
        if (to == fl_coll_me(call)) {
            fl_coll_copy(call, move, to, to);
            continue;
        }
        leave_for(call, move, to);
        if (fl_coll_is_here(call->team, to)) {
            fl_coll_post(call, fl_coll_cell(call, to));
        }
    }
    fl_coll_post_each(call, move->bytes);
}

static void move_addressed(const struct fl_coll_call *call, const struct fl_coll_move *move) {
    unsigned me = fl_coll_me(call);
    if (!move->perm) {
        if (me == move->root) {
            give_to_each(call, move);
        } else {
            take_own(call, move);
        }
        return;
    }
    unsigned to = fl_coll_target(call, move, me);
    if (to == me) {
        fl_coll_copy(call, move, me, me);
        return;
    }
    leave_for(call, move, to);
    fl_coll_post_for(call, to, move->bytes, to);
    take_own(call, move);
}

/* Bytes that one member posts for others: of the block, or of one for each. */
static size_t posted_bytes(const struct fl_coll_call *call, const struct fl_coll_move *move) {
    bool row = !is_addressed(move) && move->src.table;
    return move->bytes * (row ? call->team->members : 1);
}

static void leave_own(const struct fl_coll_call *call, const struct fl_coll_move *move) {
    unsigned me = fl_coll_me(call);
    size_t bytes = posted_bytes(call, move);
    fl_coll_copy_block(fl_coll_bytes_at(call, me, bytes), fl_coll_src(call, move, me, 0), bytes);
    if (move->src.all) {
        fl_coll_post_together(call, bytes, move->src.table ? move->bytes : 0,
                              move->dst.all ? FL_COLL_EVERYBODY : move->root);
    } else {
        fl_coll_post_for_all(call, bytes);
    }
}

static void take_from(const struct fl_coll_call *call, const struct fl_coll_move *move,
                      unsigned from) {
    unsigned me = fl_coll_me(call);
    if (from == me) {
        fl_coll_copy(call, move, me, me);
        return;
    }
    fl_coll_take(call, from);
    const unsigned char *bytes = fl_coll_bytes_at(call, from, posted_bytes(call, move));
    fl_coll_copy_block(fl_coll_dst(call, move, me, from),
                       bytes + (move->src.table ? me * move->bytes : 0), move->bytes);
}

static void move_posted(const struct fl_coll_call *call, const struct fl_coll_move *move) {
    unsigned me = fl_coll_me(call), from = me;
    if (fl_coll_has(&move->src, move, me)) {
        leave_own(call, move);
    }
    if (!fl_coll_has(&move->dst, move, me)) {
        return;
    }
    if (!move->src.all) {
        take_from(call, move, move->root);
        return;
    }
    do {
        take_from(call, move, from);
        from = fl_coll_next(call->team, from);
    } while (from != me);
}

void fl_coll_move_post(struct fl_coll_call *call, const struct fl_coll_move *move) {
    if (call->in == FL_COLL_ALL) {
        fl_coll_barrier(call);
    }
    fl_coll_step_with(call, posted_bytes(call, move));
    if (is_addressed(move)) {
        move_addressed(call, move);
    } else {
        move_posted(call, move);
    }
    if (call->out == FL_COLL_ALL) {
        fl_coll_barrier(call);
    }
}
