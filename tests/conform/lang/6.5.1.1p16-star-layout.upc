// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p16
//@ mappings: 1x1 2x1 3x1 1x5 2x2 1x7
// [*] divides an array evenly: ceil(elements / THREADS), counted in ultimate elements.
#include "../../check.h"

shared [*] int a[10 * THREADS];
shared [*] char b[3][5 * THREADS];
shared [*] struct { int x[3]; } c[THREADS][2];

int main(void)
{
    CHECK_EQ(upc_blocksizeof(a), 10);
    CHECK_EQ(upc_blocksizeof(b), 15);
    CHECK_EQ(upc_blocksizeof(c), 2);
    for (int i = 0; i < 10 * THREADS; i++)
        CHECK_EQ(upc_threadof(&a[i]), i / 10);
    for (int i = 0; i < 15 * THREADS; i++)
        CHECK_EQ(upc_threadof(&b[0][0] + i), i / 15);
    for (int t = 0; t < THREADS; t++)
        CHECK_EQ(upc_threadof(&c[t][1]), t);
    return check_done();
}
