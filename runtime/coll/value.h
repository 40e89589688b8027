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
void fl_coll_value_permute(struct fl_coll_call *call, void *value, size_t bytes, unsigned to);

#endif
