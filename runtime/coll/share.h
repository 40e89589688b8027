/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Few bytes from members to members, at one step, wherever they are: leave what others get, pass,
 * then get. On one host who gets waits for that cell alone; on several, for all members.
 */
#ifndef FL_COLL_SHARE_H
#define FL_COLL_SHARE_H

#include "coll/team.h"

#include <string.h>

/* The cell to fill, the caller's or another's, as the operation's members have agreed. */
static inline struct fl_coll_cell *fl_coll_open(const struct fl_coll_call *call, unsigned rank) {
    return fl_coll_one_host(call->team) ? fl_coll_cell(call, rank) : fl_coll_fill(call, rank);
}

static inline void fl_coll_leave(const struct fl_coll_call *call, struct fl_coll_cell *cell) {
    if (fl_coll_one_host(call->team)) {
        fl_coll_post(call, cell);
    }
}

/* By all, after leaving and before getting; `gets`: whether the caller will get. */
static inline void fl_coll_pass(const struct fl_coll_call *call, bool gets) {
    if (fl_coll_one_host(call->team)) {
        return;
    }
    if (fl_coll_arrive(call)) {
        fl_coll_over(call);
    }
    if (gets) {
        fl_coll_await_over(call);
    }
}

/* Most bytes at a step. */
static inline size_t fl_coll_share_most(const struct fl_coll_call *call) {
    return fl_coll_one_host(call->team) ? FL_COLL_WINDOW_BYTES : FL_COLL_CELL_BYTES;
}

static inline const struct fl_coll_cell *fl_coll_get(const struct fl_coll_call *call,
                                                     unsigned rank) {
    return fl_coll_one_host(call->team) ? fl_coll_take(call, rank) : fl_coll_cell(call, rank);
}

#endif
