/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective operations that move values of any size in private memory. They return when the caller
 * has its result and may change its value, whatever call->in and call->out are.
 */
#ifndef FL_COLL_VALUE_H
#define FL_COLL_VALUE_H

#include "coll/team.h"

void fl_coll_value_broadcast(struct fl_coll_call *call, void *value, size_t bytes, unsigned root);
/* src counts at the root only. */
void fl_coll_value_scatter(struct fl_coll_call *call, void *value, const void *src, size_t bytes,
                           unsigned root);
/* To those members whose dst is not null. */
void fl_coll_value_gather(struct fl_coll_call *call, void *dst, const void *value, size_t bytes);
void fl_coll_value_permute(struct fl_coll_call *call, void *value, size_t bytes, unsigned to);

#endif
