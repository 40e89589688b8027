/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of <upc_collective.h> as C sees them, see library/upc.h; a shared const int * is
 * an address. Contracts: UPC 1.3 library 7.4. */
#ifndef FL_LIBRARY_COLLECTIVE_H
#define FL_LIBRARY_COLLECTIVE_H

#include "coll/operator.h"
#include "upc/collective.h"

#include <stddef.h>
#include <upc_types.h>

enum { UPC_FUNC = 0x0200, UPC_NONCOMM_FUNC = 0x0400 };

void upc_all_broadcast(upcr_pts dst, upcr_pts src, size_t nbytes, upc_flag_t flags);
void upc_all_scatter(upcr_pts dst, upcr_pts src, size_t nbytes, upc_flag_t flags);
void upc_all_gather(upcr_pts dst, upcr_pts src, size_t nbytes, upc_flag_t flags);
void upc_all_gather_all(upcr_pts dst, upcr_pts src, size_t nbytes, upc_flag_t flags);
void upc_all_exchange(upcr_pts dst, upcr_pts src, size_t nbytes, upc_flag_t flags);
void upc_all_permute(upcr_pts dst, upcr_pts src, const int *perm, size_t nbytes,
                     upc_flag_t flags);

#define FL_COLL_TYPE(T, type, wide, class)                                                         \
    void upc_all_reduce##T(upcr_pts dst, upcr_pts src, upc_op_t op, size_t nelems,                 \
                           size_t blk_size, type (*func)(type, type), upc_flag_t flags);           \
    void upc_all_prefix_reduce##T(upcr_pts dst, upcr_pts src, upc_op_t op, size_t nelems,          \
                                  size_t blk_size, type (*func)(type, type), upc_flag_t flags);    \
    void bupc_all_reduce_all##T(upcr_pts dst, upcr_pts src, upc_op_t op, size_t nelems,            \
                                size_t blk_size, type (*func)(type, type), upc_flag_t flags);
FL_COLL_TYPES
#undef FL_COLL_TYPE

/* What the operation of a collective function does with elements of a type; the end of the job if
 * it cannot be. The functions serve UPC_FUNC and UPC_NONCOMM_FUNC. */
struct fl_coll_operator upc_coll_operator(enum upc_barrier_use use, enum fl_coll_type type,
                                          upc_op_t op, fl_coll_function function);

#endif
