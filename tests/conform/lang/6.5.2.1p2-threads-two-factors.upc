// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2.1p2
// The multiplier is one constant expression; a product of several means what it seems to, and so
// do conversions.
#include "../../check.h"

shared int x[THREADS * 100 * 20];
shared [2] int y[3 * THREADS * 4];
shared [12] int z[THREADS * 12 * 10];
enum { N = 5 };
shared int a[(unsigned long)(N * THREADS)];
shared int b[(int)N * THREADS];
shared int c[THREADS * (size_t)N];
shared int d[(N > 3 ? N : 3) * (THREADS)];
shared int e[sizeof(double) * (long)THREADS];

int main(void)
{
    CHECK_EQ(sizeof x, 2000 * THREADS * sizeof(int));
    CHECK_EQ(upc_localsizeof(y), 12 * sizeof(int));
    CHECK_EQ(upc_localsizeof(z), 120 * sizeof(int));
    CHECK_EQ(sizeof z, 120 * THREADS * sizeof(int));
    CHECK_EQ(sizeof a, N * THREADS * sizeof(int));
    CHECK_EQ(sizeof b, N * THREADS * sizeof(int));
    CHECK_EQ(sizeof c, N * THREADS * sizeof(int));
    CHECK_EQ(sizeof d, N * THREADS * sizeof(int));
    CHECK_EQ(sizeof e, 8 * THREADS * sizeof(int));
    return check_done();
}
