/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * <upc_collective.h>: the UPC collective utilities (UPC 1.3 library 7.4).
 *
 * All threads call a function together, with the same arguments, and none of them between
 * upc_notify and upc_wait. The flags, one UPC_IN_ and one UPC_OUT_, say what a call waits for; the
 * functions never fail, but end the job if an argument cannot be (R0308 and R0309, most of them in
 * programs compiled with -g).
 */
#ifndef FURLONG_UPC_COLLECTIVE_H
#define FURLONG_UPC_COLLECTIVE_H

#include <stddef.h>
#include <upc_types.h>

/* Further operations of reductions (7.4.3): the function that is an argument too. */
#define UPC_FUNC 0x0200
#define UPC_NONCOMM_FUNC 0x0400

/* Moving blocks of nbytes (7.4.2). dst or src, if each thread has a block of it, points to thread
 * 0's; its phase does not count. */
void upc_all_broadcast(shared void *__restrict dst, shared const void *__restrict src,
                       size_t nbytes, upc_flag_t flags);
void upc_all_scatter(shared void *__restrict dst, shared const void *__restrict src, size_t nbytes,
                     upc_flag_t flags);
void upc_all_gather(shared void *__restrict dst, shared const void *__restrict src, size_t nbytes,
                    upc_flag_t flags);
void upc_all_gather_all(shared void *__restrict dst, shared const void *__restrict src,
                        size_t nbytes, upc_flag_t flags);
void upc_all_exchange(shared void *__restrict dst, shared const void *__restrict src,
                      size_t nbytes, upc_flag_t flags);
void upc_all_permute(shared void *__restrict dst, shared const void *__restrict src,
                     shared const int *__restrict perm, size_t nbytes, upc_flag_t flags);

/* Reductions (7.4.3.1) of nelems elements of a shared [blk_size] array, from the element that src
 * points to, to one object; and of all its beginnings to an array with src's affinity and phase. */
#define FURLONG_REDUCTIONS(T, type)                                                                \
    void upc_all_reduce##T(shared void *__restrict dst, shared const void *__restrict src,         \
                           upc_op_t op, size_t nelems, size_t blk_size,                            \
                           type (*func)(type, type), upc_flag_t flags);                            \
    void upc_all_prefix_reduce##T(shared void *__restrict dst, shared const void *__restrict src,  \
                                  upc_op_t op, size_t nelems, size_t blk_size,                     \
                                  type (*func)(type, type), upc_flag_t flags);
FURLONG_REDUCTIONS(C, signed char)
FURLONG_REDUCTIONS(UC, unsigned char)
FURLONG_REDUCTIONS(S, signed short)
FURLONG_REDUCTIONS(US, unsigned short)
FURLONG_REDUCTIONS(I, signed int)
FURLONG_REDUCTIONS(UI, unsigned int)
FURLONG_REDUCTIONS(L, signed long)
FURLONG_REDUCTIONS(UL, unsigned long)
FURLONG_REDUCTIONS(F, float)
FURLONG_REDUCTIONS(D, double)
FURLONG_REDUCTIONS(LD, long double)
#undef FURLONG_REDUCTIONS

#include <furlong/bupc/collective.h>

#endif
