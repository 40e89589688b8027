/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective reductions, of arrays that are distributed in blocks and of one value for each member.
 * Collective; they never fail. The same call groups its operands in the same way each time, so that
 * results in floating point repeat.
 */
#ifndef FL_COLL_REDUCE_H
#define FL_COLL_REDUCE_H

#include "coll/operator.h"
#include "coll/team.h"

/* Elements first to first + count - 1 of an array that begins at `origin`, on thread 0, and is
 * dealt out to the members in blocks. An array in one piece has block 0, and its origin is
 * wherever it is. */
struct fl_coll_array {
    uintptr_t origin;
    size_t first, count, block;
};

/* The reduction of all elements to the one object `dst`, which stays as it is if there are none. */
void fl_coll_reduce(struct fl_coll_call *call, void *dst, const struct fl_coll_array *src,
                    const struct fl_coll_operator *op);

/* The same to each member's copy of dst, which is thread 0's. */
void fl_coll_reduce_all(struct fl_coll_call *call, void *dst,
                        const struct fl_coll_array *src, const struct fl_coll_operator *op);

/* The i-th element of dst, which has as many as src, becomes the reduction of the elements up to and
 * including the i-th of src. */
void fl_coll_prefix_reduce(struct fl_coll_call *call, const struct fl_coll_array *dst,
                           const struct fl_coll_array *src, const struct fl_coll_operator *op);

/* The members' values, in the order of their ranks, reduced into the root's `value`, or each one's;
 * or that of those up to and including the member's own. They return when the caller has what it
 * gets, whatever call->in and call->out are. */
void fl_coll_value_reduce(struct fl_coll_call *call, void *value,
                          const struct fl_coll_operator *op, bool wanted_by_all, unsigned root);
void fl_coll_value_prefix_reduce(struct fl_coll_call *call, void *value,
                                 const struct fl_coll_operator *op);

#endif
