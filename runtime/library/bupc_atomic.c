/* SPDX-License-Identifier: BSD-3-Clause */
/* Berkeley's atomic functions: for each type two, for shared and for private pointers, to which
 * furlong/bupc/atomic.h says what to do. The operations themselves are library/atomic_ops.h. */
#include "furlong/bupc/atomic.h"

#include "library/atomic_ops.h"

/* The bits of `mask` become those of `value`. */
#define EXTRA_INTEGER(kind, type)                                                                  \
    ATOMIC_INLINE type kind##_mswap(type *p, type mask, type value, int order) {                   \
        type old = kind##_get(p, RELAXED); /* the exchange finds out if it is stale */             \
        type new;                                                                                  \
        do {                                                                                       \
            new = (old & ~mask) | (value & mask);                                                  \
        } while (!__atomic_compare_exchange(p, &old, &new, true, order, RELAXED));                 \
        return old;                                                                                \
    }
#define EXTRA_FLOATING(kind, type)

/* `order` is a constant in `call`, as the operations want it. */
#define BOTH(op, call)                                                                             \
    case UPCR_ATOMIC_##op: {                                                                       \
        enum { order = RELAXED };                                                                  \
        return call;                                                                               \
    }                                                                                              \
    case UPCR_ATOMIC_##op + UPCR_ATOMIC_STRICT: {                                                  \
        enum { order = STRICT };                                                                   \
        return call;                                                                               \
    }
#define CASES_FLOATING(kind)                                                                       \
    BOTH(READ, kind##_get(p, order))                                                               \
    BOTH(SET, (kind##_set(p, a, order), a))                                                        \
    BOTH(SWAP, kind##_swap(p, a, order))                                                           \
    BOTH(CSWAP, kind##_cswap(p, a, b, order))                                                      \
    BOTH(ADD, kind##_add(p, a, order))
#define CASES_INTEGER(kind)                                                                        \
    CASES_FLOATING(kind)                                                                           \
    BOTH(MSWAP, kind##_mswap(p, a, b, order))                                                      \
    BOTH(AND, kind##_and(p, a, order))                                                             \
    BOTH(OR, kind##_or(p, a, order))                                                               \
    BOTH(XOR, kind##_xor(p, a, order))

#define FUNCTIONS(kind, type, class)                                                               \
    EXTRA_##class(kind, type)                                                                      \
    static inline type apply_##kind(type *p, int how, type a, type b) {                            \
        switch (how) {                                                                             \
            CASES_##class(kind)                                                                    \
        default:                                                                                   \
            __builtin_unreachable(); /* the macros of the header give no other */                  \
        }                                                                                          \
    }                                                                                              \
    type upcr_atomic_##kind(upcr_pts p, int how, type a, type b);                                  \
    type upcr_atomic_##kind(upcr_pts p, int how, type a, type b) {                                 \
        return apply_##kind((type *)upcr_address(p), how, a, b);                                   \
    }                                                                                              \
    type upcr_private_##kind(void *p, int how, type a, type b);                                    \
    type upcr_private_##kind(void *p, int how, type a, type b) {                                   \
        return apply_##kind((type *)p, how, a, b);                                                 \
    }
UPC_ATOMIC_NUMBERS(FUNCTIONS)
