/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective operations that move data: blocks of shared memory, and values of the threads' own.
 *
 * Where each thread has a block, the address is that of thread 0's. Collective; they wait as
 * call->in and call->out say, and never fail. A block may be moved to where it stands already.
 */
#ifndef FL_COLL_MOVE_H
#define FL_COLL_MOVE_H

#include "coll/team.h"

/* `bytes` from `src` to each thread's dst. */
void fl_coll_broadcast(const struct fl_coll_call *call, void *dst, const void *src, size_t bytes);
/* The i-th `bytes` of src to thread i's dst. */
void fl_coll_scatter(const struct fl_coll_call *call, void *dst, const void *src, size_t bytes);
/* Thread i's src to the i-th `bytes` of dst. */
void fl_coll_gather(const struct fl_coll_call *call, void *dst, const void *src, size_t bytes);
/* The same to each thread's dst. */
void fl_coll_gather_all(const struct fl_coll_call *call, void *dst, const void *src, size_t bytes);
/* The i-th `bytes` of thread j's src to the j-th of thread i's dst. */
void fl_coll_exchange(const struct fl_coll_call *call, void *dst, const void *src, size_t bytes);
/* Thread i's src to dst of thread perm[i], where perm[i] is thread i's copy of `perm`. */
void fl_coll_permute(const struct fl_coll_call *call, void *dst, const void *src, const int *perm,
                     size_t bytes);

/*
 * Values of any size in private memory; these ignore in and out. They return when the caller has
 * its result and may change its value.
 */
void fl_coll_value_broadcast(const struct fl_coll_call *call, void *value, size_t bytes,
                             unsigned root);
/* src counts at the root only. */
void fl_coll_value_scatter(const struct fl_coll_call *call, void *value, const void *src,
                           size_t bytes, unsigned root);
/* To those threads whose dst is not null. */
void fl_coll_value_gather(const struct fl_coll_call *call, void *dst, const void *value,
                          size_t bytes);
void fl_coll_value_permute(const struct fl_coll_call *call, void *value, size_t bytes,
                           unsigned to);

#endif
