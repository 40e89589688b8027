/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective operations that move values of any size in private memory. They return when the caller
 * has its result and may change its value, whatever call->in and call->out are.
 */
#ifndef FL_COLL_VALUE_H
#define FL_COLL_VALUE_H

#include "coll/between.h"

void fl_coll_value_broadcast(struct fl_coll_call *call, void *value, size_t bytes, unsigned root);
/* src counts at the root only. */
void fl_coll_value_scatter(struct fl_coll_call *call, void *value, const void *src, size_t bytes,
                           unsigned root);
/* To the root's dst, or if it is FL_COLL_EVERYBODY to each member's that has one. */
void fl_coll_value_gather(struct fl_coll_call *call, void *dst, const void *value, size_t bytes,
                          unsigned root);
/* Element by element: element i of the root's dst, or if it is FL_COLL_EVERYBODY of each member's,
 * becomes what the members' elements i of src combine to; dst may be src. The grouping depends on the
 * members and the root alone, so results repeat, but not on the order of ranks: it is for operations
 * that are commutative. */
struct fl_coll_combiner {
    size_t size; /* of an element */
    /* inout[i] = in[i] op inout[i], for n elements */
    void (*combine)(const void *in, void *inout, size_t n, const void *context);
    const void *context;
};
void fl_coll_value_combine(struct fl_coll_call *call, void *dst, const void *src, size_t count,
                           const struct fl_coll_combiner *op, unsigned root);

/* The i-th block of src to block `me` of member i's dst; the two lie apart. */
void fl_coll_value_exchange(struct fl_coll_call *call, void *dst, const void *src, size_t bytes);
void fl_coll_value_permute(struct fl_coll_call *call, void *value, size_t bytes, unsigned to);

#endif
