// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.6.4.3p7
// Unsigned integers wrap; signed ones do too here. Floating point overflows to infinity, underflows
// gradually, keeps quiet NaNs, and compares by value: zeros of both signs are equal.
#include "../../check.h"
#include <float.h>
#include <limits.h>
#include <math.h>
#include <upc_atomic.h>
#include "inputs/types.h"

#define TARGETS(name, type, upc) shared type name##_at[THREADS];
INTEGERS(TARGETS)
FLOATS(TARGETS)

#define APPLY(name, type)                                                                     \
    static type apply_##name(upc_atomicdomain_t *domain, atomic_function *f, upc_op_t op,     \
                             type start, type operand)                                        \
    {                                                                                         \
        shared type *p = &name##_at[MYTHREAD];                                                \
        *p = start;                                                                           \
        f(domain, NULL, op, p, op & (UPC_INC | UPC_DEC) ? NULL : &operand, NULL);             \
        return *p;                                                                            \
    }
#define INTEGER_TEST(name, type, upc)                                                         \
    APPLY(name, type)                                                                         \
    static void test_##name(upc_atomicdomain_t *d, atomic_function *f)                        \
    {                                                                                         \
        const bool is_signed = (type)-1 < 0;                                                  \
        const type most = (type)(is_signed ? (UINT64_MAX >> (65 - 8 * sizeof(type)))          \
                                           : (UINT64_MAX >> (64 - 8 * sizeof(type))));        \
        const type least = (type)(is_signed ? -most - 1 : 0);                                 \
        CHECK(apply_##name(d, f, UPC_ADD, most, 1) == least);                                 \
        CHECK(apply_##name(d, f, UPC_INC, most, 0) == least);                                 \
        CHECK(apply_##name(d, f, UPC_SUB, least, 1) == most);                                 \
        CHECK(apply_##name(d, f, UPC_DEC, least, 0) == most);                                 \
        CHECK(apply_##name(d, f, UPC_MULT, most, 2) == (type)-2);                             \
        CHECK(apply_##name(d, f, UPC_MULT, most, most) == 1);                                 \
        CHECK(apply_##name(d, f, UPC_MIN, most, least) == least);                             \
        CHECK(apply_##name(d, f, UPC_MAX, least, most) == most);                              \
    }
#define FLOAT_TEST(name, type, upc)                                                           \
    APPLY(name, type)                                                                         \
    static void test_##name(upc_atomicdomain_t *d, atomic_function *f)                        \
    {                                                                                         \
        const type most = sizeof(type) == 4 ? FLT_MAX : (type)DBL_MAX;                        \
        const type least = sizeof(type) == 4 ? FLT_MIN : (type)DBL_MIN;                       \
        type seen = 0, minus_zero = -(type)0, zero = 0, five = 5;                             \
        CHECK(apply_##name(d, f, UPC_ADD, most, most) == (type)INFINITY);                     \
        CHECK(apply_##name(d, f, UPC_MULT, most, -2) == -(type)INFINITY);                     \
        CHECK(apply_##name(d, f, UPC_SUB, -most, most) == -(type)INFINITY);                   \
        CHECK(apply_##name(d, f, UPC_INC, most, 0) == most);                                  \
        type small = apply_##name(d, f, UPC_MULT, least, (type)0.25);                         \
        CHECK(small > 0 && small * 4 == least);                                               \
        CHECK(apply_##name(d, f, UPC_MULT, least, least) == 0);                               \
        CHECK(isnan(apply_##name(d, f, UPC_SUB, INFINITY, INFINITY)));                        \
        CHECK(isnan(apply_##name(d, f, UPC_ADD, NAN, 1)));                                    \
        CHECK(isnan(apply_##name(d, f, UPC_DEC, NAN, 0)));                                    \
        CHECK(isnan(apply_##name(d, f, UPC_SET, 1, NAN)));                                    \
        CHECK(apply_##name(d, f, UPC_MIN, NAN, 1) == 1);                                      \
        CHECK(apply_##name(d, f, UPC_MAX, NAN, 1) == 1);                                      \
        CHECK(isnan(apply_##name(d, f, UPC_MIN, 1, NAN)));                                    \
        CHECK(isnan(apply_##name(d, f, UPC_MAX, 1, NAN)));                                    \
        CHECK(signbit(apply_##name(d, f, UPC_MULT, zero, -1)));                               \
        name##_at[MYTHREAD] = minus_zero;                                                     \
        f(d, &seen, UPC_CSWAP, &name##_at[MYTHREAD], &zero, &five);                           \
        CHECK(signbit(seen) && seen == 0 && name##_at[MYTHREAD] == 5);                        \
    }
INTEGERS(INTEGER_TEST)
FLOATS(FLOAT_TEST)

#define RUN(name, type, upc)                                                           \
    domain = upc_all_atomicdomain_alloc(upc, NUMERIC | UPC_SET | UPC_CSWAP, 0);        \
    test_##name(domain, orders[0]);                                                    \
    test_##name(domain, orders[1]);                                                    \
    upc_all_atomicdomain_free(domain);

int main(void)
{
    upc_atomicdomain_t *domain;
    INTEGERS(RUN)
    FLOATS(RUN)
    return check_done();
}
