// SPDX-License-Identifier: BSD-3-Clause
// Trials of reductions, for a type and a block size: random parts of a distributed array against a
// sequential model. Values are such that sums and products are exact in every type.
#ifndef FURLONG_TESTS_COLLECTIVE_REDUCTION_H
#define FURLONG_TESTS_COLLECTIVE_REDUCTION_H

#include "sync.h"

#define TYPES(X)                                                                                   \
    X(C, signed char, INTEGER)                                                                     \
    X(UC, unsigned char, INTEGER)                                                                  \
    X(S, signed short, INTEGER)                                                                    \
    X(US, unsigned short, INTEGER)                                                                 \
    X(I, signed int, INTEGER)                                                                      \
    X(UI, unsigned int, INTEGER)                                                                   \
    X(L, signed long, INTEGER)                                                                     \
    X(UL, unsigned long, INTEGER)                                                                  \
    X(F, float, FLOATING)                                                                          \
    X(D, double, FLOATING)                                                                         \
    X(LD, long double, FLOATING)

enum { PER_THREAD = 60 };

static const upc_op_t operations[] = {UPC_ADD, UPC_MULT, UPC_LOGAND, UPC_LOGOR, UPC_MIN, UPC_MAX,
                                      UPC_FUNC, UPC_NONCOMM_FUNC, UPC_AND, UPC_OR, UPC_XOR};
enum { N_FLOATING = 8, N_INTEGER = 11 };

static unsigned long hash(size_t i, int trial)
{
    unsigned long h = (i + 1) * 0x9E3779B97F4A7C15ul ^ (unsigned long)(trial + 1) * 0xC2B2AE3D27D4EB4Ful;
    h ^= h >> 29;
    h *= 0xBF58476D1CE4E5B9ul;
    return h ^ h >> 32;
}

// Element i: small numbers, with few of those that decide.
static long value_of(upc_op_t op, size_t i, int trial)
{
    unsigned long h = hash(i, trial);
    switch (op) {
    case UPC_ADD:
    case UPC_FUNC:
        return (long)(h % 4);
    case UPC_MULT:
        return h % 64 ? 1 : 2;
    case UPC_LOGAND:
        return h % 97 != 0;
    case UPC_LOGOR:
        return h % 97 == 0;
    case UPC_AND:
        return h % 5 ? -1 : ~(1l << h / 5 % 8);
    case UPC_OR:
        return h % 5 ? 0 : 1l << h / 5 % 8;
    default:
        return (long)(h % 201) - 100;
    }
}

#define BITWISE_INTEGER(type, a, op, b)                                                            \
    (op) == UPC_AND ? (type)((a) & (b)) : (op) == UPC_OR ? (type)((a) | (b)) : (type)((a) ^ (b))
#define BITWISE_FLOATING(type, a, op, b) (a)

// The functions and the model of a type. The one that is not commutative is associative.
#define DEFINE_TYPE(T, type, class)                                                                \
    static type sum##T(type a, type b)                                                             \
    {                                                                                              \
        return (type)(a + b);                                                                      \
    }                                                                                              \
    static type later##T(type a, type b)                                                           \
    {                                                                                              \
        return b == 0 ? a : b;                                                                     \
    }                                                                                              \
    static type apply##T(type a, upc_op_t op, type b)                                              \
    {                                                                                              \
        switch (op) {                                                                              \
        case UPC_ADD:                                                                              \
        case UPC_FUNC:                                                                             \
            return (type)(a + b);                                                                  \
        case UPC_NONCOMM_FUNC:                                                                     \
            return later##T(a, b);                                                                 \
        case UPC_MULT:                                                                             \
            return (type)(a * b);                                                                  \
        case UPC_LOGAND:                                                                           \
            return a && b;                                                                         \
        case UPC_LOGOR:                                                                            \
            return a || b;                                                                         \
        case UPC_MIN:                                                                              \
            return a < b ? a : b;                                                                  \
        case UPC_MAX:                                                                              \
            return a > b ? a : b;                                                                  \
        default:                                                                                   \
            return BITWISE_##class(type, a, op, b);                                                \
        }                                                                                          \
    }                                                                                              \
    static type (*function##T(upc_op_t op))(type, type)                                            \
    {                                                                                              \
        return op == UPC_FUNC ? sum##T : op == UPC_NONCOMM_FUNC ? later##T : NULL;                 \
    }

// An array, and its elements set by the threads that have them.
#define DEFINE_ARRAY(T, type, B, SHARED, LENGTH)                                                   \
    SHARED type a##T##B[LENGTH];                                                                   \
    static void fill##T##B(upc_op_t op, int trial)                                                 \
    {                                                                                              \
        for (size_t i = 0; i < (LENGTH); i++)                                                      \
            if (upc_threadof(&a##T##B[i]) == MYTHREAD)                                             \
                a##T##B[i] = (type)value_of(op, i, trial);                                         \
    }

#endif
