/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks of few bytes travel in cells. Who gives leaves its blocks in its own cell, for all who need
 * them, and goes on; who gets from one member only finds its block in its own cell. Each member
 * touches its own memory alone, so nobody waits but for data. On one host.
 */
#include "coll/shape.h"

/* Every member has at most one to get from, and whom it gives to knows that. */
static bool is_addressed(const struct fl_coll_move *move) {
    return move->perm || (!move->src.all && move->src.table);
}

static void give_to(const struct fl_coll_call *call, const struct fl_coll_move *move, unsigned to) {
    unsigned me = fl_coll_me(call);
    if (to == me) {
        fl_coll_copy(call, move, me, me);
        return;
    }
    struct fl_coll_cell *cell = fl_coll_cell(call, to);
    memcpy(cell->bytes, fl_coll_src(call, move, me, to), move->bytes);
    fl_coll_post(call, cell);
}

static void move_addressed(const struct fl_coll_call *call, const struct fl_coll_move *move) {
    unsigned me = fl_coll_me(call), from = move->root;
    if (move->perm) {
        unsigned to = fl_coll_target(call, move, me);
        give_to(call, move, to);
        if (to == me) {
            return;
        }
    } else if (me == move->root) {
        for (unsigned to = 0; to < call->team->members; to++) {
            give_to(call, move, to);
        }
        return;
    }
    memcpy(fl_coll_dst(call, move, me, from), fl_coll_take(call, me)->bytes, move->bytes);
}

static void leave_own(const struct fl_coll_call *call, const struct fl_coll_move *move) {
    unsigned me = fl_coll_me(call);
    struct fl_coll_cell *cell = fl_coll_cell(call, me);
    memcpy(cell->bytes, fl_coll_src(call, move, me, 0),
           move->bytes * (move->src.table ? call->team->members : 1));
    fl_coll_post(call, cell);
}

static void take_from(const struct fl_coll_call *call, const struct fl_coll_move *move,
                      unsigned from) {
    unsigned me = fl_coll_me(call);
    if (from == me) {
        fl_coll_copy(call, move, me, me);
        return;
    }
    const unsigned char *bytes = fl_coll_take(call, from)->bytes;
    memcpy(fl_coll_dst(call, move, me, from), bytes + (move->src.table ? me * move->bytes : 0),
           move->bytes);
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
    fl_coll_step(call);
    if (is_addressed(move)) {
        move_addressed(call, move);
    } else {
        move_posted(call, move);
    }
    if (call->out == FL_COLL_ALL) {
        fl_coll_barrier(call);
    }
}
