// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.6.2p2 7.6.2p3 7.6.4.1p4 7.6.4.1p5 7.6.4.3p2 7.6.4.3p3 7.6.4.3p5 7.6.4.3p6 7.6.4.3p9
// Every operation on every type, relaxed and strict, with and without the old value, in a domain of
// its own and in one of all operations; targets of all layouts, on the next thread. What it
// computes is what C's operator computes from the same values.
#include "../../check.h"
#include <upc_atomic.h>
#include "inputs/types.h"

// Three neighbours each, to see that nothing but the target changes.
#define TARGETS(name, type, upc) \
    struct name##_row { type before, target, after; }; \
    shared struct name##_row name##_of[THREADS];
INTEGERS(TARGETS)
FLOATS(TARGETS)

#define MAX_OF(a, b) ((a) > (b) ? (a) : (b))
#define MIN_OF(a, b) ((a) < (b) ? (a) : (b))

// One operation on one pair of values.
#define TRY(name, type, op, start, operand1, operand2, expected)                                 \
    do {                                                                                         \
        const type a = (type)(start), b = (type)(operand1), c = (type)(operand2);                \
        type got = 77;                                                                           \
        (void)a, (void)b, (void)c;                                                               \
        const struct name##_row row = {77, a, 77};                                               \
        shared struct name##_row *p = &name##_of[(MYTHREAD + 1) % THREADS];                      \
        *p = row;                                                                                \
        f(domain, fetch ? &got : NULL, op, &p->target, NEEDS1(op) ? &b : NULL,                   \
          NEEDS2(op) ? &c : NULL);                                                               \
        CHECK(p->before == 77 && p->after == 77);                                                \
        if (!(p->target == (type)(expected)) || !(got == (fetch ? a : 77)))                      \
            check_fail(__FILE__, __LINE__, #type " " #op);                                       \
    } while (0)
#define NEEDS1(op) (((op) & (UPC_GET | UPC_INC | UPC_DEC)) == 0)
#define NEEDS2(op) ((op) == UPC_CSWAP)

#define ACCESSOR_CASES(name, type)                                   \
    if (fetch)                                                       \
        TRY(name, type, UPC_GET, 13, 0, 0, a);                       \
    TRY(name, type, UPC_SET, 13, 21, 0, b);                          \
    TRY(name, type, UPC_CSWAP, 13, 13, 21, c);                       \
    TRY(name, type, UPC_CSWAP, 13, 14, 21, a);                       \
    TRY(name, type, UPC_CSWAP, 0, 0, -1, c);

#define NUMERIC_CASES(name, type)                                    \
    TRY(name, type, UPC_ADD, 13, 21, 0, a + b);                      \
    TRY(name, type, UPC_ADD, -13, 21, 0, a + b);                     \
    TRY(name, type, UPC_SUB, 13, 21, 0, a - b);                      \
    TRY(name, type, UPC_SUB, 13, -21, 0, a - b);                     \
    TRY(name, type, UPC_MULT, 13, 21, 0, a * b);                     \
    TRY(name, type, UPC_MULT, 13, -3, 0, a * b);                     \
    TRY(name, type, UPC_INC, 13, 0, 0, a + 1);                       \
    TRY(name, type, UPC_INC, -1, 0, 0, a + 1);                       \
    TRY(name, type, UPC_DEC, 13, 0, 0, a - 1);                       \
    TRY(name, type, UPC_DEC, 0, 0, 0, a - 1);                        \
    TRY(name, type, UPC_MIN, 13, 21, 0, MIN_OF(a, b));               \
    TRY(name, type, UPC_MIN, 21, 13, 0, MIN_OF(a, b));               \
    TRY(name, type, UPC_MIN, 13, 13, 0, a);                          \
    TRY(name, type, UPC_MIN, -1, 1, 0, MIN_OF(a, b));                \
    TRY(name, type, UPC_MAX, 13, 21, 0, MAX_OF(a, b));               \
    TRY(name, type, UPC_MAX, 21, 13, 0, MAX_OF(a, b));               \
    TRY(name, type, UPC_MAX, -1, 1, 0, MAX_OF(a, b));

#define BITWISE_CASES(name, type)                                    \
    TRY(name, type, UPC_AND, 0x55, 0x33, 0, a & b);                  \
    TRY(name, type, UPC_AND, -2, 0x33, 0, a & b);                    \
    TRY(name, type, UPC_OR, 0x55, 0x33, 0, a | b);                   \
    TRY(name, type, UPC_OR, 1, -2, 0, a | b);                        \
    TRY(name, type, UPC_XOR, 0x55, 0x33, 0, a ^ b);                  \
    TRY(name, type, UPC_XOR, -1, 0x33, 0, a ^ b);

#define INTEGER_TEST(name, type, upc)                                                     \
    static void test_##name(upc_atomicdomain_t *domain, atomic_function *f, bool fetch)   \
    {                                                                                     \
        ACCESSOR_CASES(name, type)                                                        \
        NUMERIC_CASES(name, type)                                                         \
        BITWISE_CASES(name, type)                                                         \
    }
#define FLOAT_TEST(name, type, upc)                                                       \
    static void test_##name(upc_atomicdomain_t *domain, atomic_function *f, bool fetch)   \
    {                                                                                     \
        ACCESSOR_CASES(name, type)                                                        \
        NUMERIC_CASES(name, type)                                                         \
        TRY(name, type, UPC_ADD, 0.1, 0.2, 0, a + b);                                     \
        TRY(name, type, UPC_MULT, 1.1, -1e-3, 0, a * b);                                  \
        TRY(name, type, UPC_DEC, 1e-9, 0, 0, a - 1);                                      \
    }
INTEGERS(INTEGER_TEST)
FLOATS(FLOAT_TEST)

#define RUN(name, upc, ops)                                              \
    domain = upc_all_atomicdomain_alloc(upc, ops, 0);                    \
    for (int i = 0; i < 2; i++) {                                        \
        test_##name(domain, orders[i], true);                            \
        test_##name(domain, orders[i], false);                           \
    }                                                                    \
    upc_all_atomicdomain_free(domain);
#define RUN_INTEGER(name, type, upc) RUN(name, upc, ACCESSORS | NUMERIC | BITWISE)
#define RUN_FLOAT(name, type, upc) RUN(name, upc, ACCESSORS | NUMERIC)

// A domain of one operation does that one.
static void one_by_one(void)
{
    shared struct int_row *p = &int_of[(MYTHREAD + 1) % THREADS];
    for (upc_op_t op = 1; op <= UPC_DEC; op <<= 1) {
        if (!(op & (ACCESSORS | NUMERIC | BITWISE)))
            continue;
        upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, op, 0);
        int got = 77, seven = 7, three = 3;
        p->target = 7;
        upc_atomic_relaxed(domain, &got, op, &p->target, NEEDS1(op) ? &seven : NULL,
                           NEEDS2(op) ? &three : NULL);
        CHECK_EQ(got, 7);
        upc_all_atomicdomain_free(domain);
    }
}

int main(void)
{
    upc_atomicdomain_t *domain;
    INTEGERS(RUN_INTEGER)
    FLOATS(RUN_FLOAT)
    one_by_one();
    return check_done();
}
