/* SPDX-License-Identifier: BSD-3-Clause */
/* Berkeley's atomic functions: two for each type, for shared and for private pointers; the macros
 * of furlong/bupc/atomic.h give the operation. The operations themselves are
 * library/atomic_ops.h. */
#include "furlong/bupc/atomic.h"

#include "library/atomic_far.h"
#include "library/atomic_ops.h"
#include "upc/trace.h"

#include <string.h>

/* Sets the bits of `mask` to those of `value`. */
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

/* `order` is a constant in `call`, as the operations require. */
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

/* A relaxed operation on memory of another host. With a fence before, it is strict: it has ended on
 * return. */
static uint64_t apply_far(enum fl_comm_type type, uint64_t address, int how, uint64_t a,
                          uint64_t b) {
    static const enum fl_comm_atomic simple[] = {
        [UPCR_ATOMIC_READ] = FL_COMM_GET, [UPCR_ATOMIC_SET] = FL_COMM_SET,
        [UPCR_ATOMIC_SWAP] = FL_COMM_SET, [UPCR_ATOMIC_ADD] = FL_COMM_ADD,
        [UPCR_ATOMIC_AND] = FL_COMM_AND,  [UPCR_ATOMIC_OR] = FL_COMM_OR,
        [UPCR_ATOMIC_XOR] = FL_COMM_XOR,
    };
    const struct atomic_far object = {type, false, address};
    switch (how) {
    case UPCR_ATOMIC_CSWAP:
        return atomic_far_cswap(&object, a, b);
    case UPCR_ATOMIC_MSWAP:
        return atomic_far_mswap(&object, a, b);
    default:
        return fl_comm_atomic(simple[how], type, address, a, 0);
    }
}

#define FUNCTIONS(kind, type, class)                                                               \
    EXTRA_##class(kind, type)                                                                      \
    static inline type apply_##kind(type *p, int how, type a, type b) {                            \
        switch (how) {                                                                             \
            CASES_##class(kind)                                                                    \
        default:                                                                                   \
            __builtin_unreachable(); /* the macros of the header give no other */                  \
        }                                                                                          \
    }                                                                                              \
    static FL_COLD type apply_anywhere_##kind(uint64_t address, int how, type a, type b) {         \
        uint64_t old, x = 0, y = 0;                                                                \
        memcpy(&x, &a, sizeof a);                                                                  \
        memcpy(&y, &b, sizeof b);                                                                  \
        if (how & UPCR_ATOMIC_STRICT) {                                                            \
            upcr_fence();                                                                          \
        }                                                                                          \
        if (fl_comm_is_here(address)) {                                                            \
            fl_read_cache_drop();                                                                  \
            return apply_##kind((type *)address, how, a, b);                                       \
        }                                                                                          \
        uint64_t since = upc_trace_begin();                                                        \
        old = apply_far(ATOMIC_FAR_##kind, address, how & ~UPCR_ATOMIC_STRICT, x, y);              \
        upc_trace_end_call_at(since, "atomic", "bupc_atomic", address, sizeof a);                  \
        memcpy(&a, &old, sizeof a);                                                                \
        return a;                                                                                  \
    }                                                                                              \
    type upcr_atomic_##kind(upcr_pts p, int how, type a, type b);                                  \
    type upcr_atomic_##kind(upcr_pts p, int how, type a, type b) {                                 \
        if (FL_LIKELY(fl_comm_here.one_host)) {                                                    \
            return apply_##kind((type *)upcr_address(p), how, a, b);                               \
        }                                                                                          \
        return apply_anywhere_##kind(upcr_address(p), how, a, b);                                  \
    }                                                                                              \
    type upcr_private_##kind(void *p, int how, type a, type b);                                    \
    type upcr_private_##kind(void *p, int how, type a, type b) {                                   \
        return apply_##kind((type *)p, how, a, b);                                                 \
    }
UPC_ATOMIC_NUMBERS(FUNCTIONS)
