/* SPDX-License-Identifier: BSD-3-Clause */
/* Berkeley's addition to <upc_collective.h>: upc_all_reduceT whose result goes to every thread, to
 * its copy of the object that dst points to at thread 0. Otherwise as upc_all_reduceT. */
#ifndef FURLONG_BUPC_COLLECTIVE_H
#define FURLONG_BUPC_COLLECTIVE_H

#include <stddef.h>
#include <upc_types.h>

#define FURLONG_REDUCE_ALL(T, type)                                                                \
    void bupc_all_reduce_all##T(shared void *__restrict dst, shared const void *__restrict src,    \
                                upc_op_t op, size_t nelems, size_t blk_size,                       \
                                type (*func)(type, type), upc_flag_t flags);
FURLONG_REDUCE_ALL(C, signed char)
FURLONG_REDUCE_ALL(UC, unsigned char)
FURLONG_REDUCE_ALL(S, signed short)
FURLONG_REDUCE_ALL(US, unsigned short)
FURLONG_REDUCE_ALL(I, signed int)
FURLONG_REDUCE_ALL(UI, unsigned int)
FURLONG_REDUCE_ALL(L, signed long)
FURLONG_REDUCE_ALL(UL, unsigned long)
FURLONG_REDUCE_ALL(F, float)
FURLONG_REDUCE_ALL(D, double)
FURLONG_REDUCE_ALL(LD, long double)
#undef FURLONG_REDUCE_ALL

#endif
