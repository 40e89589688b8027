/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cells of a step for members of any host. The member that fills cells names the readers: cells are
 * posted for those of this host, and one message goes to each other host. The readers take them
 * like any others.
 *
 * `bytes` is how much each member's cell or window has at the step. These calls are made by the
 * members that fill a cell; each cell is filled by one member.
 */
#ifndef FL_COLL_BETWEEN_H
#define FL_COLL_BETWEEN_H

#include "coll/team.h"

enum { FL_COLL_EVERYBODY = UINT32_MAX };

static inline bool fl_coll_is_here(const struct fl_coll_team *team, unsigned rank) {
    return fl_coll_one_host(team) || fl_coll_host_of(team, rank) == team->host;
}

FL_COLD void fl_coll_post_for_far(const struct fl_coll_call *call, unsigned rank, size_t bytes,
                                  unsigned reader);
FL_COLD void fl_coll_post_for_all_far(const struct fl_coll_call *call, size_t bytes);
FL_COLD void fl_coll_post_each_far(const struct fl_coll_call *call, size_t bytes);
FL_COLD void fl_coll_post_together_far(const struct fl_coll_call *call, size_t bytes, size_t block,
                                       unsigned reader);

/* The cell of `rank`, for one reader. */
static inline void fl_coll_post_for(const struct fl_coll_call *call, unsigned rank, size_t bytes,
                                    unsigned reader) {
    if (fl_coll_is_here(call->team, reader)) {
        fl_coll_post(call, fl_coll_cell(call, rank));
    } else {
        fl_coll_post_for_far(call, rank, bytes, reader);
    }
}

/* The caller's cell, for some member of each host. */
static inline void fl_coll_post_for_all(const struct fl_coll_call *call, size_t bytes) {
    fl_coll_post(call, fl_coll_cell(call, fl_coll_me(call)));
    if (!fl_coll_one_host(call->team)) {
        fl_coll_post_for_all_far(call, bytes);
    }
}

/* The cells of all other hosts' members, which the caller has filled for them. */
static inline void fl_coll_post_each(const struct fl_coll_call *call, size_t bytes) {
    if (!fl_coll_one_host(call->team)) {
        fl_coll_post_each_far(call, bytes);
    }
}

/* Every member's own cell, for one reader or for FL_COLL_EVERYBODY. If `block` is not 0 the bytes
 * are a row of blocks, of which each member reads the one of its rank. */
static inline void fl_coll_post_together(const struct fl_coll_call *call, size_t bytes,
                                         size_t block, unsigned reader) {
    fl_coll_post(call, fl_coll_cell(call, fl_coll_me(call)));
    if (!fl_coll_one_host(call->team)) {
        fl_coll_post_together_far(call, bytes, block, reader);
    }
}

/* ---- between team.c and between.c ---- */

struct fl_coll_hub;

/* Registers the handler: messages may arrive. */
void fl_coll_listen(struct fl_coll_hub *hub);

/* Makes all hosts' cells of the step alike; for the last to arrive on each. */
FL_COLD void fl_coll_exchange_cells(const struct fl_coll_call *call);

/* All members of this host have ended the half before `half`; all members of all hosts have. */
FL_COLD void fl_coll_end_half(const struct fl_coll_team *team, uint32_t half);
void fl_coll_half_over(const struct fl_coll_team *team, uint32_t half);

/* Adds n acknowledgements, of `of` in all (0: not known), for a member of this host; adds one, of
 * `here` from this host, for a member of another. */
void fl_coll_add_acks(_Atomic uint32_t *acks, unsigned n, unsigned of);
FL_COLD void fl_coll_ack_far(const struct fl_coll_call *call, unsigned rank, unsigned here);

#endif
