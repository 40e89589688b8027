/* SPDX-License-Identifier: BSD-3-Clause */
/* See move.h. */
#include "coll/move.h"

#include "coll/choose.h"
#include "coll/shape.h"

static fl_coll_mover *const movers[FL_COLL_N_ALGORITHMS] = {
    [FL_COLL_BY_LAST] = fl_coll_move_last,
    [FL_COLL_BY_POST] = fl_coll_move_post,
    [FL_COLL_BY_LATER] = fl_coll_move_later,
    [FL_COLL_BY_PULL] = fl_coll_move_pull,
    [FL_COLL_BY_PUSH] = fl_coll_move_push,
    [FL_COLL_BY_TREE] = fl_coll_move_tree,
    [FL_COLL_BY_LEVELS] = fl_coll_move_levels,
};

static inline void perform(struct fl_coll_call *call, enum fl_coll_operation operation,
                           const struct fl_coll_move *move) {
    movers[fl_coll_choice(call, operation, move->bytes)](call, move);
}

/* Addresses have no const: a side may be either. */
static char *bytes_of(const void *address) {
    return (char *)(uintptr_t)address;
}

void fl_coll_broadcast(struct fl_coll_call *call, void *dst, const void *src, size_t bytes) {
    perform(call, FL_COLL_BROADCAST,
            &(struct fl_coll_move){.dst = {bytes_of(dst), .all = true},
                                   .src = {bytes_of(src)},
                                   .bytes = bytes,
                                   .root = fl_coll_rank_of(call->team, src)});
}

void fl_coll_scatter(struct fl_coll_call *call, void *dst, const void *src, size_t bytes) {
    perform(call, FL_COLL_SCATTER,
            &(struct fl_coll_move){.dst = {bytes_of(dst), .all = true},
                                   .src = {bytes_of(src), .table = true},
                                   .bytes = bytes,
                                   .root = fl_coll_rank_of(call->team, src)});
}

void fl_coll_gather(struct fl_coll_call *call, void *dst, const void *src, size_t bytes) {
    perform(call, FL_COLL_GATHER,
            &(struct fl_coll_move){.dst = {bytes_of(dst), .table = true},
                                   .src = {bytes_of(src), .all = true},
                                   .bytes = bytes,
                                   .root = fl_coll_rank_of(call->team, dst)});
}

void fl_coll_gather_all(struct fl_coll_call *call, void *dst, const void *src, size_t bytes) {
    perform(call, FL_COLL_GATHER_ALL,
            &(struct fl_coll_move){.dst = {bytes_of(dst), .all = true, .table = true},
                                   .src = {bytes_of(src), .all = true},
                                   .bytes = bytes});
}

void fl_coll_exchange(struct fl_coll_call *call, void *dst, const void *src, size_t bytes) {
    perform(call, FL_COLL_EXCHANGE,
            &(struct fl_coll_move){.dst = {bytes_of(dst), .all = true, .table = true},
                                   .src = {bytes_of(src), .all = true, .table = true},
                                   .bytes = bytes});
}

void fl_coll_permute(struct fl_coll_call *call, void *dst, const void *src, const int *perm,
                     size_t bytes) {
    perform(call, FL_COLL_PERMUTE,
            &(struct fl_coll_move){.dst = {bytes_of(dst), .all = true},
                                   .src = {bytes_of(src), .all = true},
                                   .bytes = bytes,
                                   .perm = perm});
}
