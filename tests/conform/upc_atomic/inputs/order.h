// SPDX-License-Identifier: BSD-3-Clause
// For litmus tests (see ../../lang/inputs/litmus.h) whose accesses are atomic operations: one
// domain for all, and an operation in one expression.
#include <upc_atomic.h>

static upc_atomicdomain_t *order_domain;

static inline int order_apply(upc_op_t op, shared int *p, int operand, int replacement)
{
    int seen;
    upc_atomic_strict(order_domain, &seen, op, p, op == UPC_GET ? NULL : &operand,
                      op == UPC_CSWAP ? &replacement : NULL);
    return seen;
}

static inline void order_set(shared int *p, int value)
{
    upc_atomic_strict(order_domain, NULL, UPC_SET, p, &value, NULL);
}

static inline void order_begin(void)
{
    order_domain =
        upc_all_atomicdomain_alloc(UPC_INT, UPC_GET | UPC_SET | UPC_CSWAP | UPC_OR | UPC_MAX, 0);
}
