/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an operation that moves blocks of shared memory consists of: copies from one member to
 * another, described by the two sides alone. Algorithms work on this, whatever the operation.
 */
#ifndef FL_COLL_SHAPE_H
#define FL_COLL_SHAPE_H

#include "coll/team.h"

#include <string.h>

/* Where blocks come from, or where they go. */
struct fl_coll_side {
    char *at;
    bool all;   /* each member has a part, and `at` is where thread 0's is; else only the root */
    bool table; /* a part has a block for each member of the other side */
};

struct fl_coll_move {
    struct fl_coll_side dst, src;
    size_t bytes;    /* of a block */
    unsigned root;   /* the member that has the side which not all have */
    const int *perm; /* member i gives to perm[i] alone, where perm[i] is its copy; else null */
};

/* The block of `holder` that is for or from `other`. */
static inline char *fl_coll_block(const struct fl_coll_call *call, const struct fl_coll_side *side,
                                  size_t bytes, unsigned holder, unsigned other) {
    char *part = side->all ? (char *)fl_coll_at(call, side->at, holder) : side->at;
    return side->table ? part + other * bytes : part;
}

static inline char *fl_coll_dst(const struct fl_coll_call *call, const struct fl_coll_move *move,
                                unsigned to, unsigned from) {
    return fl_coll_block(call, &move->dst, move->bytes, to, from);
}

static inline char *fl_coll_src(const struct fl_coll_call *call, const struct fl_coll_move *move,
                                unsigned from, unsigned to) {
    return fl_coll_block(call, &move->src, move->bytes, from, to);
}

/* A copy within the host. A block may be moved to where it stands already. One that is a word is
 * copied sooner than memmove is called. */
static inline void fl_coll_copy_block(void *dst, const void *src, size_t bytes) {
    uint64_t word;
    if (FL_LIKELY(bytes == sizeof word)) {
        memcpy(&word, src, sizeof word);
        memcpy(dst, &word, sizeof word);
    } else {
        memmove(dst, src, bytes);
    }
}

static inline void fl_coll_copy(const struct fl_coll_call *call, const struct fl_coll_move *move,
                                unsigned from, unsigned to) {
    fl_coll_copy_block(fl_coll_dst(call, move, to, from), fl_coll_src(call, move, from, to),
                       move->bytes);
}

static inline bool fl_coll_has(const struct fl_coll_side *side, const struct fl_coll_move *move,
                               unsigned rank) {
    return side->all || rank == move->root;
}

/* The member that `rank` gives to in a permutation. */
static inline unsigned fl_coll_target(const struct fl_coll_call *call,
                                      const struct fl_coll_move *move, unsigned rank) {
    return (unsigned)*(const int *)fl_coll_at(call, move->perm, rank);
}

/* An algorithm: all that an operation does, as call->in and call->out say. */
typedef void fl_coll_mover(struct fl_coll_call *call, const struct fl_coll_move *move);

fl_coll_mover fl_coll_move_last; /* last.c */
fl_coll_mover fl_coll_move_post; /* post.c */
fl_coll_mover fl_coll_move_later; /* later.c */
fl_coll_mover fl_coll_move_pull; /* flat.c */
fl_coll_mover fl_coll_move_push;
fl_coll_mover fl_coll_move_tree;   /* tree.c */
fl_coll_mover fl_coll_move_levels; /* levels.c */

/* Most bytes of a block that post can move. */
static inline size_t fl_coll_post_most(unsigned members, unsigned hosts, bool exchange) {
    return fl_coll_window_bytes(members, hosts) / (exchange ? members : 1);
}

#endif
