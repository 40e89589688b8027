/* SPDX-License-Identifier: BSD-3-Clause */
/* What reductions do with elements: types and operations as pairs of functions over runs of
 * memory. */
#ifndef FL_COLL_OPERATOR_H
#define FL_COLL_OPERATOR_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

/* The types that UPC's reductions know:
 * FL_COLL_TYPE(letters, type, the type its sums are computed in, INTEGER or FLOATING).
 * Integers are added and multiplied as unsigned, for overflow is to wrap. */
#define FL_COLL_TYPES                                                                              \
    FL_COLL_TYPE(C, signed char, unsigned, INTEGER)                                                \
    FL_COLL_TYPE(UC, unsigned char, unsigned, INTEGER)                                             \
    FL_COLL_TYPE(S, short, unsigned, INTEGER)                                                      \
    FL_COLL_TYPE(US, unsigned short, unsigned, INTEGER)                                            \
    FL_COLL_TYPE(I, int, unsigned, INTEGER)                                                        \
    FL_COLL_TYPE(UI, unsigned, unsigned, INTEGER)                                                  \
    FL_COLL_TYPE(L, long, unsigned long, INTEGER)                                                  \
    FL_COLL_TYPE(UL, unsigned long, unsigned long, INTEGER)                                        \
    FL_COLL_TYPE(F, float, float, FLOATING)                                                        \
    FL_COLL_TYPE(D, double, double, FLOATING)                                                      \
    FL_COLL_TYPE(LD, long double, long double, FLOATING)

enum fl_coll_type {
#define FL_COLL_TYPE(T, type, wide, class) FL_COLL_##T,
    FL_COLL_TYPES
#undef FL_COLL_TYPE
};

enum fl_coll_op {
    FL_COLL_ADD,
    FL_COLL_MULT,
    FL_COLL_AND,
    FL_COLL_OR,
    FL_COLL_XOR,
    FL_COLL_LOGAND,
    FL_COLL_LOGOR,
    FL_COLL_MIN,
    FL_COLL_MAX,
    FL_COLL_FUNCTION, /* one of the user's */
    FL_COLL_OPS
};

/* TYPE (*)(TYPE, TYPE), whatever the type. */
typedef void (*fl_coll_function)(void);

struct fl_coll_operator {
    size_t size; /* of an element */
    /* *value = *value op src[0] op ... op src[n - 1] */
    void (*fold)(void *value, const void *src, size_t n, fl_coll_function function);
    /* The same, and dst[i] is *value after src[i]. */
    void (*scan)(void *value, void *dst, const void *src, size_t n, fl_coll_function function);
    /* dst[i] = a[i] op b[i], where dst may be a or b */
    void (*join)(void *dst, const void *a, const void *b, size_t n, fl_coll_function function);
    fl_coll_function function;
    bool ordered; /* operands must not change places */
};

/* Null functions if the type has no such operation. */
struct fl_coll_operator fl_coll_operator(enum fl_coll_type type, enum fl_coll_op op);

#endif
