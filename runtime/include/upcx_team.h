/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * <upcx_team.h>: collective operations of some threads, for example those of a row or a column of a
 * grid. An extension of UPC 1.3; the manual's page is upcx_team(3).
 *
 * A team's members have ranks from 0 on. Where an operation has a part at each member, the pointer
 * may have affinity to any thread: member r's part is at the same offset of its thread's memory, as
 * with arrays that have the same block for each thread. All members call a function together, with
 * the same arguments; the functions never fail, but end the job if an argument cannot be.
 */
#ifndef FURLONG_UPCX_TEAM_H
#define FURLONG_UPCX_TEAM_H

#include <stddef.h>
#include <upc_types.h>

/* A thread's own name for a team: no other thread may use it. */
typedef struct upcx_team *upcx_team_t;
#define UPCX_TEAM_NONE ((upcx_team_t)0)
#define UPCX_TEAM_ALL ((upcx_team_t)1)

/* Those with one color make a team, ranked by their keys, and by their ranks in `team` where keys
 * are equal. UPCX_TEAM_NONE for those with a negative color. */
upcx_team_t upcx_team_split(upcx_team_t team, int color, int key);
/* Collective. Not of UPCX_TEAM_ALL. */
void upcx_team_free(upcx_team_t team);

/* Not collective: the caller's rank, the members, and the thread that has a rank. */
int upcx_team_rank(upcx_team_t team);
int upcx_team_size(upcx_team_t team);
int upcx_team_thread(upcx_team_t team, int rank);

void upcx_team_barrier(upcx_team_t team);

/* As upc_all_..., with members for threads and ranks for their numbers. */
void upcx_team_broadcast(upcx_team_t team, shared void *dst, shared const void *src,
                         size_t nbytes, upc_flag_t flags);
void upcx_team_scatter(upcx_team_t team, shared void *dst, shared const void *src, size_t nbytes,
                       upc_flag_t flags);
void upcx_team_gather(upcx_team_t team, shared void *dst, shared const void *src, size_t nbytes,
                      upc_flag_t flags);
void upcx_team_gather_all(upcx_team_t team, shared void *dst, shared const void *src,
                          size_t nbytes, upc_flag_t flags);
void upcx_team_exchange(upcx_team_t team, shared void *dst, shared const void *src, size_t nbytes,
                        upc_flag_t flags);
void upcx_team_permute(upcx_team_t team, shared void *dst, shared const void *src,
                       shared const int *perm, size_t nbytes, upc_flag_t flags);

/* Element i of the result is the reduction of the members' elements i, in the order of their ranks:
 * nelems of a type, UPC_INT for example. To one vector, which may be src's at its member; and to
 * one at each member, which may be src. */
void upcx_team_reduce(upcx_team_t team, shared void *dst, shared const void *src, size_t nelems,
                      upc_type_t type, upc_op_t op, upc_flag_t flags);
void upcx_team_reduce_all(upcx_team_t team, shared void *dst, shared const void *src,
                          size_t nelems, upc_type_t type, upc_op_t op, upc_flag_t flags);

/* The same by a function of one's own, such as
 *     double longer(double a, double b);
 *     upcx_team_reduce_func(team, dst, src, n, UPC_DOUBLE, (upcx_function_t)longer, flags);
 * which takes two values of the type and returns one. It must be associative. */
typedef void (*upcx_function_t)(void);
void upcx_team_reduce_func(upcx_team_t team, shared void *dst, shared const void *src,
                           size_t nelems, upc_type_t type, upcx_function_t func,
                           upc_flag_t flags);
void upcx_team_reduce_all_func(upcx_team_t team, shared void *dst, shared const void *src,
                               size_t nelems, upc_type_t type, upcx_function_t func,
                               upc_flag_t flags);

/* All of these, but they return at once, with a handle to wait with; UPCX_COLL_DONE if there is nothing
 * to wait for. Until then the members' memory is the operation's, as flags say. Operations of a
 * split team are performed in the order of the calls; those of UPCX_TEAM_ALL that are waited for
 * later in an order of their own. */
typedef struct fl_coll_pending *upcx_coll_handle_t;
#define UPCX_COLL_DONE ((upcx_coll_handle_t)0)

upcx_coll_handle_t upcx_team_barrier_nb(upcx_team_t team);
upcx_coll_handle_t upcx_team_broadcast_nb(upcx_team_t team, shared void *dst,
                                          shared const void *src, size_t nbytes,
                                          upc_flag_t flags);
upcx_coll_handle_t upcx_team_scatter_nb(upcx_team_t team, shared void *dst,
                                        shared const void *src, size_t nbytes, upc_flag_t flags);
upcx_coll_handle_t upcx_team_gather_nb(upcx_team_t team, shared void *dst, shared const void *src,
                                       size_t nbytes, upc_flag_t flags);
upcx_coll_handle_t upcx_team_gather_all_nb(upcx_team_t team, shared void *dst,
                                           shared const void *src, size_t nbytes,
                                           upc_flag_t flags);
upcx_coll_handle_t upcx_team_exchange_nb(upcx_team_t team, shared void *dst,
                                         shared const void *src, size_t nbytes, upc_flag_t flags);
upcx_coll_handle_t upcx_team_permute_nb(upcx_team_t team, shared void *dst,
                                        shared const void *src, shared const int *perm,
                                        size_t nbytes, upc_flag_t flags);
upcx_coll_handle_t upcx_team_reduce_nb(upcx_team_t team, shared void *dst, shared const void *src,
                                       size_t nelems, upc_type_t type, upc_op_t op,
                                       upc_flag_t flags);
upcx_coll_handle_t upcx_team_reduce_all_nb(upcx_team_t team, shared void *dst,
                                           shared const void *src, size_t nelems, upc_type_t type,
                                           upc_op_t op, upc_flag_t flags);

upcx_coll_handle_t upcx_team_reduce_func_nb(upcx_team_t team, shared void *dst,
                                            shared const void *src, size_t nelems,
                                            upc_type_t type, upcx_function_t func,
                                            upc_flag_t flags);
upcx_coll_handle_t upcx_team_reduce_all_func_nb(upcx_team_t team, shared void *dst,
                                                shared const void *src, size_t nelems,
                                                upc_type_t type, upcx_function_t func,
                                                upc_flag_t flags);

/* Waits; and says whether there is nothing more to wait for, 1 or 0. Each handle once. */
void upcx_coll_wait(upcx_coll_handle_t handle);
int upcx_coll_try(upcx_coll_handle_t handle);

#endif
