/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks that all members of a host get travel there once: a leader on each host fetches them into
 * its own part, and the others of the host copy them from there. Blocks of the host itself come
 * straight from where they are.
 *
 * Each operation has a barrier, for the members of other hosts are waited for by nothing else; the
 * steps of which turns consist (team.h) stay one apart because of it.
 */
#include "coll/shape.h"
#include "comm/comm.h"

static bool is_here(const void *address) {
    return fl_comm_is_here((uint64_t)address);
}

/* The leader's part of dst gets the block of each member that is elsewhere. */
static void fetch(const struct fl_coll_call *call, const struct fl_coll_move *move) {
    unsigned me = fl_coll_me(call);
    struct fl_comm_op op = {0};
    for (unsigned from = 0; from < call->team->members; from++) {
        const char *src = fl_coll_src(call, move, from, me);
        if (fl_coll_has(&move->src, move, from) && !is_here(src)) {
            fl_comm_get_nb(fl_coll_dst(call, move, me, from), (uint64_t)src, move->bytes, &op);
        }
    }
    fl_comm_wait(&op);
}

/* Copies what is here, from its member or from the leader. */
static void copy(const struct fl_coll_call *call, const struct fl_coll_move *move, bool fetched) {
    unsigned me = fl_coll_me(call), leader = call->team->leader, from = me;
    do {
        const char *src = fl_coll_src(call, move, from, me);
        if (fl_coll_has(&move->src, move, from) && is_here(src) != fetched) {
            memmove(fl_coll_dst(call, move, me, from),
                    fetched ? fl_coll_dst(call, move, leader, from) : src, move->bytes);
        }
        from = fl_coll_next(call->team, from);
    } while (from != me);
}

void fl_coll_move_levels(struct fl_coll_call *call, const struct fl_coll_move *move) {
    if (call->in == FL_COLL_NONE && call->out == FL_COLL_NONE) {
        fl_coll_move_pull(call, move);
        return;
    }
    unsigned me = fl_coll_me(call), leader = call->team->leader;
    if (call->in != FL_COLL_NONE) {
        fl_coll_barrier(call);
    }
    fl_coll_step(call);
    if (me == leader) {
        fetch(call, move);
        fl_coll_post(call, fl_coll_cell(call, me));
    }
    copy(call, move, false);
    if (me != leader) {
        fl_coll_take(call, leader);
        copy(call, move, true);
    }
    if (call->out != FL_COLL_NONE) {
        fl_coll_barrier(call);
    }
}
