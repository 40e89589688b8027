/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hierarchical: blocks that all members of a host get travel there once. A leader on each host
 * fetches them into its own part, and the others of the host copy them from there. Blocks of the
 * host itself come straight from where they are.
 *
 * A leader waits for the root alone, and the others of its host wait for the leader. Where each
 * member gives, all wait for all.
 */
#include "coll/between.h"
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

/* Copies the blocks of members of this host, or the blocks that the leader has fetched. */
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

/* The member that the others of this host copy from: the root if it is here, or else the leader. */
static unsigned source_of(const struct fl_coll_call *call, const struct fl_coll_move *move) {
    return fl_coll_is_here(call->team, move->root) ? move->root : call->team->leader;
}

/* A broadcast: each member acknowledges to its source that it has copied. */
static void spread(struct fl_coll_call *call, const struct fl_coll_move *move) {
    const struct fl_coll_team *team = call->team;
    unsigned me = fl_coll_me(call), root = move->root, source = source_of(call, move);
    unsigned others = team->here - 1, of_root = others + team->hosts - 1;
    if (me == root) {
        fl_coll_post_for_all(call, 0);
        fl_coll_copy(call, move, me, me);
    } else if (me == source) {
        fl_coll_take(call, root);
        fetch(call, move);
        fl_coll_post(call, fl_coll_cell(call, me));
    } else {
        fl_coll_take(call, source);
        memmove(fl_coll_dst(call, move, me, root),
                source == root ? fl_coll_src(call, move, root, me)
                               : fl_coll_dst(call, move, source, root),
                move->bytes);
    }
    if (call->out == FL_COLL_MINE) {
        if (me != root) {
            fl_coll_ack(call, me == source ? root : source, source == root ? of_root : others, 1);
        }
        if (me == source) {
            fl_coll_await_acks(call, me == root ? of_root : others);
        }
    }
}

static void gather(struct fl_coll_call *call, const struct fl_coll_move *move) {
    unsigned me = fl_coll_me(call), leader = call->team->leader;
    if (me == leader) {
        fetch(call, move);
        fl_coll_post(call, fl_coll_cell(call, me));
    }
    copy(call, move, false);
    if (me != leader) {
        fl_coll_take(call, leader);
        copy(call, move, true);
    }
}

void fl_coll_move_levels(struct fl_coll_call *call, const struct fl_coll_move *move) {
    bool all = move->src.all;
    if (call->in == FL_COLL_NONE && call->out == FL_COLL_NONE) {
        fl_coll_move_pull(call, move);
        return;
    }
    if (call->in == FL_COLL_ALL || (all && call->in == FL_COLL_MINE)) {
        fl_coll_barrier(call);
    }
    fl_coll_step(call);
    if (all) {
        gather(call, move);
    } else {
        spread(call, move);
    }
    if (call->out == FL_COLL_ALL || (all && call->out == FL_COLL_MINE)) {
        fl_coll_barrier(call);
    }
}
