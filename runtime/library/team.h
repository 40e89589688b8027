/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of <upcx_team.h> as C sees them, see library/upc.h; contracts are there. */
#ifndef FL_LIBRARY_TEAM_H
#define FL_LIBRARY_TEAM_H

#include "upc/abi.h"

#include <stddef.h>
#include <upc_types.h>

struct upcx_team;

struct upcx_team *upcx_team_split(struct upcx_team *team, int color, int key);
void upcx_team_free(struct upcx_team *team);
int upcx_team_rank(struct upcx_team *team);
int upcx_team_size(struct upcx_team *team);
int upcx_team_thread(struct upcx_team *team, int rank);
void upcx_team_barrier(struct upcx_team *team);
void upcx_team_broadcast(struct upcx_team *team, upcr_pts dst, upcr_pts src, size_t nbytes,
                         upc_flag_t flags);
void upcx_team_scatter(struct upcx_team *team, upcr_pts dst, upcr_pts src, size_t nbytes,
                       upc_flag_t flags);
void upcx_team_gather(struct upcx_team *team, upcr_pts dst, upcr_pts src, size_t nbytes,
                      upc_flag_t flags);
void upcx_team_gather_all(struct upcx_team *team, upcr_pts dst, upcr_pts src, size_t nbytes,
                          upc_flag_t flags);
void upcx_team_exchange(struct upcx_team *team, upcr_pts dst, upcr_pts src, size_t nbytes,
                        upc_flag_t flags);
void upcx_team_permute(struct upcx_team *team, upcr_pts dst, upcr_pts src, const int *perm,
                       size_t nbytes, upc_flag_t flags);
void upcx_team_reduce(struct upcx_team *team, upcr_pts dst, upcr_pts src, size_t nelems,
                      upc_type_t type, upc_op_t op, upc_flag_t flags);
void upcx_team_reduce_all(struct upcx_team *team, upcr_pts dst, upcr_pts src, size_t nelems,
                          upc_type_t type, upc_op_t op, upc_flag_t flags);

#endif
