/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of <upc_collective.h> as C sees them, see library/upc.h; a shared const int * is
 * an address. Contracts: UPC 1.3 library 7.4. */
#ifndef FL_LIBRARY_COLLECTIVE_H
#define FL_LIBRARY_COLLECTIVE_H

#include "coll/operator.h"
#include "upc/collective.h"
#include "upc/trace.h"

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

/* Makes a call of a member. If one half of the flags is missing it means ALLSYNC (7.3.4p4). */
static inline struct fl_coll_call upc_coll_call(const struct fl_coll_team *team,
                                                struct fl_coll_member *member,
                                                enum upc_barrier_use use, upc_flag_t flags) {
    return (struct fl_coll_call){
        .team = team,
        .member = member,
        .kind = use,
        .in = flags & UPC_IN_NOSYNC   ? FL_COLL_NONE
              : flags & UPC_IN_MYSYNC ? FL_COLL_MINE
                                      : FL_COLL_ALL,
        .out = flags & UPC_OUT_NOSYNC   ? FL_COLL_NONE
               : flags & UPC_OUT_MYSYNC ? FL_COLL_MINE
                                        : FL_COLL_ALL,
    };
}

/* Ends a call. */
static inline void upc_coll_leave(const struct fl_coll_call *call, uint64_t since) {
    upc_trace_end_call(since, "collective", upc_barrier_names[call->kind]);
}

/* The arguments of a function that moves blocks, and the shapes of its sides. */
struct upc_coll_move {
    upcr_pts dst, src;
    size_t nbytes;
    upc_flag_t flags;
    bool dst_on_all, src_on_all;     /* each thread has a part of it; else it is at one thread */
    bool dst_is_table, src_is_table; /* there it has a block for each thread; else one block */
    bool in_place;                   /* a thread's own block may stay where it is */
};

/* In a program that checks for misuse: end the job if the members' arguments differ, or are
 * invalid. A permutation is checked after the other arguments. */
FL_COLD void upc_coll_check_move(const struct fl_coll_call *call,
                                 const struct upc_coll_move *move);
FL_COLD void upc_coll_check_permutation(const struct fl_coll_call *call, const int *perm);

/* The operator for an operation of a collective function on elements of a type; ends the job if
 * there is none. `function` is for UPC_FUNC and UPC_NONCOMM_FUNC. */
struct fl_coll_operator upc_coll_operator(enum upc_barrier_use use, enum fl_coll_type type,
                                          upc_op_t op, fl_coll_function function);
/* The same for a type by its number in <upc_types.h>, or 0: bool, whose values are 0 and 1. */
struct fl_coll_operator upc_coll_operator_of(enum upc_barrier_use use, upc_type_t type,
                                             upc_op_t op, fl_coll_function function);

#endif
