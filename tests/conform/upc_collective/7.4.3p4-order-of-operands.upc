// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.4.3p1 7.4.3.1p8
// The product of maps x -> m x + c, which is not commutative: one result for all elements of every
// layout shows that their order was kept.
#include "reduction.h"

enum { LENGTH = 50 };
static shared unsigned long one[LENGTH * THREADS], many_one[LENGTH * THREADS];
static shared [4] unsigned long four[LENGTH * THREADS], many_four[LENGTH * THREADS];
static shared [*] unsigned long all[LENGTH * THREADS], many_all[LENGTH * THREADS];
static shared unsigned long product;

// First `f`, then `g`; m in the upper half and c in the lower.
static unsigned long after(unsigned long f, unsigned long g)
{
    unsigned mf = (unsigned)(f >> 32), cf = (unsigned)f, mg = (unsigned)(g >> 32), cg = (unsigned)g;
    return (unsigned long)(mf * mg) << 32 | (cf * mg + cg);
}

static unsigned long map(size_t i, int trial)
{
    return hash(i, trial) | 1ul << 32;
}

#define TRY(from, to, B)                                                                         \
    upc_forall (size_t i = 0; i < LENGTH * THREADS; i++; &from[i])                                 \
        from[i] = map(i, trial);                                                                   \
    upc_all_reduceUL(&product, &from[first], UPC_NONCOMM_FUNC, n, B, after, 0);                    \
    upc_all_prefix_reduceUL(&to[first], &from[first], UPC_NONCOMM_FUNC, n, B, after, 0);           \
    expected = map(first, trial);                                                                  \
    for (size_t i = 0; i < n; i++) {                                                               \
        expected = i ? after(expected, map(first + i, trial)) : expected;                          \
        CHECK_EQ(to[first + i], expected);                                                         \
    }                                                                                              \
    CHECK_EQ(product, expected);                                                                   \
    upc_barrier;

int main(void)
{
    unsigned long expected;
    for (int trial = 0; trial < 12; trial++) {
        size_t first = pick(LENGTH * THREADS), n = 1 + pick(LENGTH * THREADS - first);
        TRY(one, many_one, 1)
        TRY(four, many_four, 4)
        TRY(all, many_all, LENGTH)
    }
    return check_done();
}
