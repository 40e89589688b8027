/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective operations that move blocks of shared memory.
 *
 * Where each member has a block, the address is that of thread 0's. Collective; they wait as
 * call->in and call->out say, and never fail. A block may be moved to where it stands already.
 */
#ifndef FL_COLL_MOVE_H
#define FL_COLL_MOVE_H

#include "coll/team.h"

/* `bytes` from `src` to each member's dst. */
void fl_coll_broadcast(struct fl_coll_call *call, void *dst, const void *src, size_t bytes);
/* The i-th `bytes` of src to member i's dst. */
void fl_coll_scatter(struct fl_coll_call *call, void *dst, const void *src, size_t bytes);
/* Member i's src to the i-th `bytes` of dst. */
void fl_coll_gather(struct fl_coll_call *call, void *dst, const void *src, size_t bytes);
/* The same to each member's dst. */
void fl_coll_gather_all(struct fl_coll_call *call, void *dst, const void *src, size_t bytes);
/* The i-th `bytes` of member j's src to the j-th of member i's dst. */
void fl_coll_exchange(struct fl_coll_call *call, void *dst, const void *src, size_t bytes);
/* Member i's src to dst of member perm[i], where perm[i] is member i's copy of `perm`. */
void fl_coll_permute(struct fl_coll_call *call, void *dst, const void *src, const int *perm,
                     size_t bytes);

#endif
