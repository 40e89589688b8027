// SPDX-License-Identifier: BSD-3-Clause
//@ flags: -O2 -Wall -Wextra -Werror
// What is done in place: no warnings of accesses that are too wide for the operands, each argument
// evaluated once, and commas in arguments.
#include "../../check.h"
#include <upc.h>
#include <upc_atomic.h>

#define OPS (UPC_ADD | UPC_INC | UPC_SET | UPC_GET)
#define OBJECT(type) \
    shared type type##_object; \
    static void test_##type(upc_type_t name) \
    { \
        type one = 1, old = 0; \
        upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(name, OPS, 0); \
        upc_atomic_relaxed(d, &old, UPC_ADD, &type##_object, &one, NULL); \
        upc_atomic_relaxed(d, NULL, UPC_ADD, &type##_object, &one, NULL); \
        upc_atomic_relaxed(d, &old, UPC_INC, &type##_object, NULL, NULL); \
        upc_atomic_relaxed(d, NULL, UPC_INC, &type##_object, NULL, NULL); \
        upc_barrier; \
        upc_atomic_relaxed(d, &old, UPC_GET, &type##_object, NULL, NULL); \
        CHECK(old == 4 * (type)THREADS); \
        upc_barrier; \
        upc_atomic_relaxed(d, &old, UPC_SET, &type##_object, &one, NULL); \
        upc_barrier; \
        CHECK(type##_object == 1); \
        upc_all_atomicdomain_free(d); \
    }
OBJECT(int)
OBJECT(unsigned)
OBJECT(long)
OBJECT(float)
OBJECT(double)

shared long sum;

int main(void)
{
    test_int(UPC_INT);
    test_unsigned(UPC_UINT);
    test_long(UPC_LONG);
    test_float(UPC_FLOAT);
    test_double(UPC_DOUBLE);

    upc_atomicdomain_t *d[] = {upc_all_atomicdomain_alloc(UPC_LONG, OPS, 0)};
    int i = 0, j = 0, k = 0;
    long operands[] = {1, 2}, old[2];
    upc_atomic_relaxed(d[i++], &old[j++], UPC_ADD, &sum, &operands[k++], NULL);
    CHECK(i == 1 && j == 1 && k == 1);
    upc_atomic_relaxed(d[0], NULL, UPC_ADD, &sum, (long[]){2, 3}, NULL);
    upc_barrier;
    CHECK(sum == 3 * THREADS);
    return check_done();
}
