/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic operations on one aligned object of each type that has them, for <upc_atomic.h> and for
 * Berkeley's functions. Each returns the value from before the update. Domains and
 * pointers-to-shared are the callers' matter.
 *
 * UPC_ATOMIC_TYPES(x) calls x(kind, type, class) for each type, UPC_ATOMIC_NUMBERS(x) for all but
 * pointers; the names of the operations are `kind`_`operation`. C's int and long types are those of
 * their width. Operations that do not depend on the sign are computed unsigned, because overflow
 * then wraps, as in the hardware, and is not undefined.
 *
 * `order` is RELAXED or STRICT and always constant. A relaxed access orders nothing: the operation
 * is atomic by itself, and implies nothing about other objects. A strict one takes part in the
 * total order of strict accesses, and the thread's accesses before and after it stay before and
 * after (UPC 1.3 B.3.1), as in emitted code: SEQ_CST, with a fence before a read, which else could
 * precede an earlier relaxed write. [S1] pairs [S1]: each strict access with those of other
 * threads; if one were weaker, two threads could both miss what the other wrote.
 */
#ifndef FL_LIBRARY_ATOMIC_OPS_H
#define FL_LIBRARY_ATOMIC_OPS_H

#include "upc/abi.h"

#include <stdbool.h>
#include <stdint.h>

/* No labels: these order the compiled program's accesses. */
enum { RELAXED = __ATOMIC_RELAXED, STRICT = __ATOMIC_SEQ_CST };

#define UPC_ATOMIC_NUMBERS(x)                                                                      \
    x(i32, int32_t, INTEGER) x(u32, uint32_t, INTEGER) x(i64, int64_t, INTEGER)                    \
        x(u64, uint64_t, INTEGER) x(f, float, FLOATING) x(d, double, FLOATING)
#define UPC_ATOMIC_TYPES(x) UPC_ATOMIC_NUMBERS(x) x(p, upcr_pts, PTS)

#define ATOMIC_INLINE static inline __attribute__((always_inline, unused))

/* name(p, a, order): *p becomes `next`, an expression of `old` and a. If `keep` is true the value
 * stays, and a relaxed access need not take the cache line from its readers to write it again. */
#define ATOMIC_LOOP(name, type, keep, next)                                                        \
    ATOMIC_INLINE type name(type *p, type a, int order) {                                          \
        type old, new;                                                                             \
        (void)a;                                                                                   \
        __atomic_load(p, &old, RELAXED); /* the exchange below finds out if it is stale */         \
        do {                                                                                       \
            bool same = (keep);                                                                    \
            if (same && order == RELAXED) {                                                        \
                return old;                                                                        \
            }                                                                                      \
            new = same ? old : (type)(next);                                                       \
        } while (!__atomic_compare_exchange(p, &old, &new, true, order, RELAXED));                 \
        return old;                                                                                \
    }

/* name(p, a, order) by a builtin, which is one instruction if the hardware has it. */
#define ATOMIC_BUILTIN(name, type, builtin, operand)                                               \
    ATOMIC_INLINE type name(type *p, type a, int order) {                                          \
        (void)a;                                                                                   \
        return (type)builtin(p, operand, order);                                                   \
    }

/* The smaller and the larger value as UPC 1.3 7.3.1 writes them: the old value stays only if it
 * compares less, or greater, than the operand. So with a NaN the result is the operand. */
#define ATOMIC_EXTREMES(kind, type)                                                                \
    ATOMIC_LOOP(kind##_min, type, old < a, a)                                                      \
    ATOMIC_LOOP(kind##_max, type, old > a, a)

/* Compares by value: an exchange may have failed at an equal value of other bits, a negative zero
 * or a pointer with another phase. */
#define ATOMIC_ACCESSORS(kind, type, equal)                                                        \
    ATOMIC_INLINE type kind##_get(type *p, int order) {                                            \
        type value;                                                                                \
        if (order == STRICT) {                                                                     \
            upcr_fence();                                                                          \
        }                                                                                          \
        __atomic_load(p, &value, order);                                                           \
        return value;                                                                              \
    }                                                                                              \
    ATOMIC_INLINE void kind##_set(type *p, type a, int order) {                                    \
        __atomic_store(p, &a, order);                                                              \
    }                                                                                              \
    ATOMIC_INLINE type kind##_swap(type *p, type a, int order) {                                   \
        type old;                                                                                  \
        __atomic_exchange(p, &a, &old, order);                                                     \
        return old;                                                                                \
    }                                                                                              \
    ATOMIC_INLINE type kind##_cswap(type *p, type a, type b, int order) {                          \
        type old = a;                                                                              \
        while (!__atomic_compare_exchange(p, &old, &b, false, order, order) && (equal)) {          \
        }                                                                                          \
        return old;                                                                                \
    }

#define ATOMIC_INTEGER(kind, type)                                                                 \
    ATOMIC_ACCESSORS(kind, type, old == a)                                                         \
    ATOMIC_BUILTIN(kind##_and, type, __atomic_fetch_and, a)                                        \
    ATOMIC_BUILTIN(kind##_or, type, __atomic_fetch_or, a)                                          \
    ATOMIC_BUILTIN(kind##_xor, type, __atomic_fetch_xor, a)                                        \
    ATOMIC_BUILTIN(kind##_add, type, __atomic_fetch_add, a)                                        \
    ATOMIC_BUILTIN(kind##_sub, type, __atomic_fetch_sub, a)                                        \
    ATOMIC_BUILTIN(kind##_inc, type, __atomic_fetch_add, 1)                                        \
    ATOMIC_BUILTIN(kind##_dec, type, __atomic_fetch_sub, 1)                                        \
    ATOMIC_LOOP(kind##_mult, type, false, (uint64_t)old * (uint64_t)a)                             \
    ATOMIC_EXTREMES(kind, type)

#define ATOMIC_FLOATING(kind, type)                                                                \
    ATOMIC_ACCESSORS(kind, type, old == a)                                                         \
    ATOMIC_LOOP(kind##_add, type, false, old + a)                                                  \
    ATOMIC_LOOP(kind##_sub, type, false, old - a)                                                  \
    ATOMIC_LOOP(kind##_inc, type, false, old + 1)                                                  \
    ATOMIC_LOOP(kind##_dec, type, false, old - 1)                                                  \
    ATOMIC_LOOP(kind##_mult, type, false, old * a)                                                 \
    ATOMIC_EXTREMES(kind, type)

#define ATOMIC_PTS(kind, type) ATOMIC_ACCESSORS(kind, type, upcr_address(old) == upcr_address(a))

#define ATOMIC_TYPE(kind, type, class) ATOMIC_##class(kind, type)
UPC_ATOMIC_TYPES(ATOMIC_TYPE)

#endif
