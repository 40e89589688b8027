/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of <upcx_team.h> as C sees them, see library/upc.h; contracts are there. */
#ifndef FL_LIBRARY_TEAM_H
#define FL_LIBRARY_TEAM_H

#include "coll/operator.h"
#include "upc/abi.h"

#include <stddef.h>
#include <upc_types.h>

struct upcx_team;
struct fl_coll_pending;

struct upcx_team *upcx_team_split(struct upcx_team *team, int color, int key);
void upcx_team_free(struct upcx_team *team);
int upcx_team_rank(struct upcx_team *team);
int upcx_team_size(struct upcx_team *team);
int upcx_team_thread(struct upcx_team *team, int rank);

/* Each operation in its two forms. */
#define OPERATION(name, ...)                                                                       \
    void upcx_team_##name(struct upcx_team *team, __VA_ARGS__);                                    \
    struct fl_coll_pending *upcx_team_##name##_nb(struct upcx_team *team, __VA_ARGS__);
#define MOVE(name)                                                                                 \
    OPERATION(name, upcr_pts dst, upcr_pts src, size_t nbytes, upc_flag_t flags)
#define REDUCTION(name)                                                                            \
    OPERATION(name, upcr_pts dst, upcr_pts src, size_t nelems, upc_type_t type, upc_op_t op,       \
              upc_flag_t flags)                                                                    \
    OPERATION(name##_func, upcr_pts dst, upcr_pts src, size_t nelems, upc_type_t type,             \
              fl_coll_function func, upc_flag_t flags)
void upcx_team_barrier(struct upcx_team *team);
struct fl_coll_pending *upcx_team_barrier_nb(struct upcx_team *team);
MOVE(broadcast)
MOVE(scatter)
MOVE(gather)
MOVE(gather_all)
MOVE(exchange)
OPERATION(permute, upcr_pts dst, upcr_pts src, const int *perm, size_t nbytes, upc_flag_t flags)
REDUCTION(reduce)
REDUCTION(reduce_all)
#undef REDUCTION
#undef MOVE
#undef OPERATION

int upcx_coll_try(struct fl_coll_pending *handle);
void upcx_coll_wait(struct fl_coll_pending *handle);

#endif
