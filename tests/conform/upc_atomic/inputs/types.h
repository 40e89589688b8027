// SPDX-License-Identifier: BSD-3-Clause
// The types of 7.6.2p3: INTEGERS(X) and FLOATS(X) call X(name for identifiers, C's type, UPC's).
#include <stdbool.h>
#include <stdint.h>

#define INTEGERS(X)                                             \
    X(int, int, UPC_INT)                                        \
    X(uint, unsigned, UPC_UINT)                                 \
    X(long, long, UPC_LONG)                                     \
    X(ulong, unsigned long, UPC_ULONG)                          \
    X(int32, int32_t, UPC_INT32)                                \
    X(uint32, uint32_t, UPC_UINT32)                             \
    X(int64, int64_t, UPC_INT64)                                \
    X(uint64, uint64_t, UPC_UINT64)
#define FLOATS(X)                                               \
    X(float, float, UPC_FLOAT)                                  \
    X(double, double, UPC_DOUBLE)

#define NUMERIC (UPC_ADD | UPC_SUB | UPC_MULT | UPC_INC | UPC_DEC | UPC_MAX | UPC_MIN)
#define BITWISE (UPC_AND | UPC_OR | UPC_XOR)
#define ACCESSORS (UPC_GET | UPC_SET | UPC_CSWAP)

typedef void atomic_function(upc_atomicdomain_t *, void *restrict, upc_op_t, shared void *restrict,
                             const void *restrict, const void *restrict);
static atomic_function *const orders[] = {upc_atomic_relaxed, upc_atomic_strict};
