/* SPDX-License-Identifier: BSD-3-Clause */
/* See operator.h. Built with -O3, so that the loops over integers become vectors. */
#include "coll/operator.h"

#define SUM_ADD(type, wide, a, b) ((type)((wide)(a) + (wide)(b)))
#define SUM_MULT(type, wide, a, b) ((type)((wide)(a) * (wide)(b)))
#define BIT_AND(type, wide, a, b) ((type)((a) & (b)))
#define BIT_OR(type, wide, a, b) ((type)((a) | (b)))
#define BIT_XOR(type, wide, a, b) ((type)((a) ^ (b)))
#define TRUTH_AND(type, wide, a, b) ((type)((a) && (b)))
#define TRUTH_OR(type, wide, a, b) ((type)((a) || (b)))
#define LESSER(type, wide, a, b) ((a) < (b) ? (a) : (b))
#define GREATER(type, wide, a, b) ((a) > (b) ? (a) : (b))
#define RESULT(type, wide, a, b) (((type(*)(type, type))function)((a), (b)))

/* clang-format off */
#define PAIR(T, type, wide, op, apply)                                                             \
    static void fold_##T##_##op(void *value, const void *src, size_t n,                            \
                                fl_coll_function function) {                                       \
        const type *from = src;                                                                    \
        type v = *(type *)value;                                                                   \
        (void)function;                                                                            \
        for (size_t i = 0; i < n; i++) {                                                           \
            v = apply(type, wide, v, from[i]);                                                     \
        }                                                                                          \
        *(type *)value = v;                                                                        \
    }                                                                                              \
    static void scan_##T##_##op(void *value, void *dst, const void *src, size_t n,                 \
                                fl_coll_function function) {                                       \
        const type *from = src;                                                                    \
        type *to = dst;                                                                            \
        type v = *(type *)value;                                                                   \
        (void)function;                                                                            \
        for (size_t i = 0; i < n; i++) {                                                           \
            v = apply(type, wide, v, from[i]);                                                     \
            to[i] = v;                                                                             \
        }                                                                                          \
        *(type *)value = v;                                                                        \
    }                                                                                              \
    static void join_##T##_##op(void *dst, const void *a, const void *b, size_t n,                 \
                                fl_coll_function function) {                                       \
        const type *left = a, *right = b;                                                          \
        type *to = dst;                                                                            \
        (void)function;                                                                            \
        _Pragma("GCC ivdep") for (size_t i = 0; i < n; i++) {                                      \
            to[i] = apply(type, wide, left[i], right[i]);                                          \
        }                                                                                          \
    }

#define PAIRS_FLOATING(T, type, wide)                                                              \
    PAIR(T, type, wide, ADD, SUM_ADD)                                                              \
    PAIR(T, type, wide, MULT, SUM_MULT)                                                            \
    PAIR(T, type, wide, LOGAND, TRUTH_AND)                                                         \
    PAIR(T, type, wide, LOGOR, TRUTH_OR)                                                           \
    PAIR(T, type, wide, MIN, LESSER)                                                               \
    PAIR(T, type, wide, MAX, GREATER)                                                              \
    PAIR(T, type, wide, FUNCTION, RESULT)
#define PAIRS_INTEGER(T, type, wide)                                                               \
    PAIRS_FLOATING(T, type, wide)                                                                  \
    PAIR(T, type, wide, AND, BIT_AND)                                                              \
    PAIR(T, type, wide, OR, BIT_OR)                                                                \
    PAIR(T, type, wide, XOR, BIT_XOR)

#define FL_COLL_TYPE(T, type, wide, class) PAIRS_##class(T, type, wide)
FL_COLL_TYPES
#undef FL_COLL_TYPE

#define ENTRY(T, type, op) [FL_COLL_##op] =                                                        \
    {sizeof(type), fold_##T##_##op, scan_##T##_##op, join_##T##_##op, 0, 0},
#define ENTRIES_FLOATING(T, type)                                                                  \
    ENTRY(T, type, ADD) ENTRY(T, type, MULT) ENTRY(T, type, LOGAND) ENTRY(T, type, LOGOR)          \
    ENTRY(T, type, MIN) ENTRY(T, type, MAX) ENTRY(T, type, FUNCTION)
#define ENTRIES_INTEGER(T, type)                                                                   \
    ENTRIES_FLOATING(T, type)                                                                      \
    ENTRY(T, type, AND) ENTRY(T, type, OR) ENTRY(T, type, XOR)

static const struct fl_coll_operator operators[][FL_COLL_OPS] = {
#define FL_COLL_TYPE(T, type, wide, class) [FL_COLL_##T] = {ENTRIES_##class(T, type)},
    FL_COLL_TYPES
#undef FL_COLL_TYPE
};
/* clang-format on */

struct fl_coll_operator fl_coll_operator(enum fl_coll_type type, enum fl_coll_op op) {
    return operators[type][op];
}
