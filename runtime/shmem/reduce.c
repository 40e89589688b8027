/* SPDX-License-Identifier: BSD-3-Clause */
/* The operators of reductions, for the types in the tables of furlong/shmem_typed.h. */
#include "shmem/inside.h"

#define COMBINER(NAME, T, OP, EXPRESSION)                                                          \
    void furlong_shmem_##NAME##_##OP(const void *in, void *inout, size_t n, const void *unused) {  \
        (void)unused;                                                                              \
        const T *a = in;                                                                           \
        T *b = inout;                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            b[i] = (T)(EXPRESSION);                                                                \
        }                                                                                          \
    }
/* Sums and products of signed integers wrap around, because the build compiles with -fwrapv. */
#define SUMS(NAME, T)                                                                              \
    COMBINER(NAME, T, sum, a[i] + b[i])                                                            \
    COMBINER(NAME, T, prod, a[i] * b[i])
#define NUMBERS(NAME, T)                                                                           \
    SUMS(NAME, T)                                                                                  \
    COMBINER(NAME, T, min, a[i] < b[i] ? a[i] : b[i])                                              \
    COMBINER(NAME, T, max, a[i] > b[i] ? a[i] : b[i])
#define BITS(NAME, T)                                                                              \
    COMBINER(NAME, T, and, a[i] & b[i])                                                            \
    COMBINER(NAME, T, or, a[i] | b[i])                                                             \
    COMBINER(NAME, T, xor, a[i] ^ b[i])

FURLONG_SHMEM_RMA(NUMBERS)
FURLONG_SHMEM_REDUCED_BITS(BITS)
BITS(short, short)
BITS(int, int)
BITS(long, long)
BITS(longlong, long long)
SUMS(complexf, float _Complex)
SUMS(complexd, double _Complex)
