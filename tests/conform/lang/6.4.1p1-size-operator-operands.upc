// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.1p1
// The size operators take a unary expression or a parenthesised type name, like sizeof.
#include "../../check.h"

shared [3] short a[6 * THREADS];
shared struct { double d; int i; } s;

int main(void)
{
    CHECK_EQ(upc_blocksizeof a, 3);
    CHECK_EQ(upc_blocksizeof(a), 3);
    CHECK_EQ(upc_blocksizeof a[1], 3);
    CHECK_EQ(upc_blocksizeof(a)[1], 3);
    CHECK_EQ(upc_blocksizeof(shared [5] int), 5);
    CHECK_EQ(upc_elemsizeof s, 16);
    CHECK_EQ(upc_elemsizeof s.i, sizeof(int));
    CHECK_EQ(upc_elemsizeof(shared [5] int) * 2, 2 * sizeof(int));
    CHECK_EQ(sizeof upc_elemsizeof a, sizeof(size_t));
    CHECK(upc_localsizeof *&a >= 6 * sizeof(short));
    return check_done();
}
