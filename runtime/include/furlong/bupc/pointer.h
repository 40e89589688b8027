/* SPDX-License-Identifier: BSD-3-Clause */
/* Berkeley's functions on pointers-to-shared: bupc_dump_shared(3), bupc_ptradd(3), bupc(3). */
#ifndef FURLONG_BUPC_POINTER_H
#define FURLONG_BUPC_POINTER_H

#include <stddef.h>
#include <upc.h>

/* Writes what a pointer consists of into `buf`. -1, and errno EINVAL, if `maxlen` is less than
 * BUPC_DUMP_MIN_LENGTH. */
#define BUPC_DUMP_MIN_LENGTH 100
int bupc_dump_shared(shared const void *ptr, char *buf, int maxlen);

/* p + inc in an array with blocks of `blockelems` elements (0: indefinite) of `elemsz` bytes. */
shared void *bupc_ptradd(shared void *p, size_t blockelems, size_t elemsz, ptrdiff_t inc);

/* Whether two types, or those of expressions, are the same: a constant. Qualifiers count. */
#define bupc_assert_type(a, b)                                                                     \
    __builtin_types_compatible_p(__typeof__(a) *, __typeof__(b) *)

/* The collective forms of upc_free and upc_lock_free, from before UPC 1.3 had them. */
#define bupc_all_free upc_all_free
#define bupc_all_lock_free upc_all_lock_free

#endif
