/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions of vectors, element by element: each member has one of `count` elements at its copy of
 * src, and element i of the result is the reduction of the members' elements i, in the order of
 * their ranks. So results repeat whatever the algorithm. Collective; they wait as call->in and
 * call->out say, and never fail. The result may take the place of a vector.
 */
#ifndef FL_COLL_VECTOR_H
#define FL_COLL_VECTOR_H

#include "coll/operator.h"
#include "coll/team.h"

/* To the one vector `dst`. */
void fl_coll_vector_reduce(struct fl_coll_call *call, void *dst, const void *src, size_t count,
                           const struct fl_coll_operator *op);
/* To each member's dst. */
void fl_coll_vector_reduce_all(struct fl_coll_call *call, void *dst, const void *src,
                               size_t count, const struct fl_coll_operator *op);

#endif
