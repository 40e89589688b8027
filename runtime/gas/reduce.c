/* SPDX-License-Identifier: BSD-3-Clause */
/* The reductions of gas_reduction, as functions over consecutive elements. Integers are added and
 * multiplied as unsigned, so that overflow wraps. */
#include "gas/inside.h"

#define SUM(wide, a, b) ((wide)(a) + (wide)(b))
#define PRODUCT(wide, a, b) ((wide)(a) * (wide)(b))
#define LESSER(wide, a, b) ((a) < (b) ? (a) : (b))
#define GREATER(wide, a, b) ((a) > (b) ? (a) : (b))
#define BITS_AND(wide, a, b) ((a) & (b))
#define BITS_OR(wide, a, b) ((a) | (b))
#define BITS_XOR(wide, a, b) ((a) ^ (b))

#define FUNCTION(T, type, wide, op, apply)                                                         \
    static void T##_##op(const void *in, void *inout, size_t n, const void *context) {             \
        const type *a = in;                                                                        \
        type *b = inout;                                                                           \
        (void)context;                                                                             \
        for (size_t i = 0; i < n; i++) {                                                           \
            b[i] = (type)apply(wide, a[i], b[i]);                                                  \
        }                                                                                          \
    }
#define FLOATING(DO, T, type, wide)                                                                \
    DO(T, type, wide, ADD, SUM)                                                                    \
    DO(T, type, wide, MULT, PRODUCT)                                                               \
    DO(T, type, wide, MIN, LESSER)                                                                 \
    DO(T, type, wide, MAX, GREATER)
#define INTEGER(DO, T, type, wide)                                                                 \
    FLOATING(DO, T, type, wide)                                                                    \
    DO(T, type, wide, AND, BITS_AND)                                                               \
    DO(T, type, wide, OR, BITS_OR)                                                                 \
    DO(T, type, wide, XOR, BITS_XOR)
#define ALL(DO)                                                                                    \
    INTEGER(DO, I32, int32_t, uint32_t)                                                            \
    INTEGER(DO, U32, uint32_t, uint32_t)                                                           \
    INTEGER(DO, I64, int64_t, uint64_t)                                                            \
    INTEGER(DO, U64, uint64_t, uint64_t)                                                           \
    FLOATING(DO, FLT, float, float)                                                                \
    FLOATING(DO, DBL, double, double)

ALL(FUNCTION)

#define ROW(T, type, wide, op, apply) {GAS_##T, GAS_OP_##op, T##_##op},
static const struct {
    gas_type_t type;
    gas_op_t op;
    gas_reduce_function *function;
} reductions[] = {ALL(ROW)};

gas_reduce_function *gas_reduction(gas_type_t type, gas_op_t op) {
    for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++) {
        if (reductions[i].type == type && reductions[i].op == op) {
            return reductions[i].function;
        }
    }
    return NULL;
}
