// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.6p1 7.6.1p3 7.6.2p4 7.6.3.1p1 7.6.3.2p1 7.6.3.2p2 7.6.4.1p1 7.6.4.2p1 7.6.4.3p1 7.6.4.4p1
// The header alone declares types, macros and functions, and is that of <upc_types.h> too.
#include <upc_atomic.h>
#include <upc_atomic.h>

#if __UPC_ATOMIC__ != 1
#error __UPC_ATOMIC__
#endif

static upc_atomicdomain_t *(*alloc)(upc_type_t, upc_op_t, upc_atomichint_t) =
    upc_all_atomicdomain_alloc;
static void (*all_free)(upc_atomicdomain_t *) = upc_all_atomicdomain_free;
static void (*functions[])(upc_atomicdomain_t *, void *restrict, upc_op_t, shared void *restrict,
                           const void *restrict, const void *restrict) = {upc_atomic_strict,
                                                                          upc_atomic_relaxed};
static int (*isfast)(upc_type_t, upc_op_t, shared void *) = upc_atomic_isfast;

static const upc_op_t ops[] = {UPC_ADD,    UPC_MULT, UPC_AND, UPC_OR,  UPC_XOR,   UPC_LOGAND,
                               UPC_LOGOR,  UPC_MIN,  UPC_MAX, UPC_GET, UPC_SET,   UPC_CSWAP,
                               UPC_SUB,    UPC_INC,  UPC_DEC};
static const upc_atomichint_t hints[] = {UPC_ATOMIC_HINT_DEFAULT, UPC_ATOMIC_HINT_LATENCY,
                                         UPC_ATOMIC_HINT_THROUGHPUT};
static char default_is_zero[UPC_ATOMIC_HINT_DEFAULT == 0 ? 1 : -1];
static char as_in_the_text[UPC_ATMOIC_HINT_THROUGHPUT == UPC_ATOMIC_HINT_THROUGHPUT ? 1 : -1];

#include "../../check.h"

int main(void)
{
    upc_op_t all = 0;
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        CHECK(ops[i] > 0 && (ops[i] & (ops[i] - 1)) == 0 && !(all & ops[i]));
        all |= ops[i];
    }
    CHECK(hints[0] != hints[1] && hints[1] != hints[2] && hints[0] != hints[2]);
    CHECK((upc_atomichint_t)0.5 == 0 && hints[1] > 0 && hints[2] > 0);
    CHECK(alloc && all_free && functions[0] && functions[1] && isfast);
    CHECK(sizeof default_is_zero == sizeof as_in_the_text);
    return check_done();
}
