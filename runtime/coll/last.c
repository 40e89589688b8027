/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The last member to arrive moves the blocks of all, and releases the others: one synchronisation
 * where a barrier before and one after would be two. For few bytes on one host. Where there are
 * more members than CPUs each is scheduled once.
 */
#include "coll/shape.h"

static void move_all(const struct fl_coll_call *call, const struct fl_coll_move *move) {
    for (unsigned from = 0; from < call->team->members; from++) {
        if (!fl_coll_has(&move->src, move, from)) {
            continue;
        }
        if (move->perm) {
            fl_coll_copy(call, move, from, fl_coll_target(call, move, from));
            continue;
        }
        for (unsigned to = 0; to < call->team->members; to++) {
            if (fl_coll_has(&move->dst, move, to)) {
                fl_coll_copy(call, move, from, to);
            }
        }
    }
}

void fl_coll_move_last(struct fl_coll_call *call, const struct fl_coll_move *move) {
    fl_coll_step(call);
    if (fl_coll_arrive(call)) {
        move_all(call, move);
        fl_coll_over(call);
    } else if (call->out != FL_COLL_NONE) {
        fl_coll_await_over(call);
    }
}
