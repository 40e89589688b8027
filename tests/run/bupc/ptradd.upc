// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 3x1 1x3 2x2 1x7
// bupc_ptradd with a block size given at run time is the arithmetic of a pointer of that type.
#include "../../check.h"

enum { N = 60 };
shared int cyclic[N * THREADS];
shared [5] int fives[N * THREADS];
shared [N] short whole[N * THREADS];
shared [300000] char large[600000 * THREADS];

#define CHECK_SAME(p, q)                                \
    do {                                                \
        shared void *a = (p), *b = (q);                 \
        CHECK(a == b);                                  \
        CHECK_EQ(upc_phaseof(a), upc_phaseof(b));       \
        CHECK_EQ(upc_threadof(a), upc_threadof(b));     \
        CHECK_EQ(upc_addrfield(a), upc_addrfield(b));   \
    } while (0)

int main(void)
{
    int total = N * THREADS;
    for (int i = 0; i < total; i += 7)
        for (int j = 0; j < total; j += 3) {
            CHECK_SAME(bupc_ptradd(&cyclic[i], 1, sizeof(int), j - i), &cyclic[j]);
            CHECK_SAME(bupc_ptradd(&fives[i], 5, sizeof(int), j - i), &fives[j]);
            CHECK_SAME(bupc_ptradd(&whole[i], N, sizeof(short), j - i), &whole[j]);
        }
    shared [] int *row = (shared [] int *)&cyclic[THREADS - 1];
    CHECK_SAME(bupc_ptradd(row, 0, sizeof(int), 9), row + 9);
    CHECK_SAME(bupc_ptradd(row + 9, 0, sizeof(int), -9), row);
    CHECK_SAME(bupc_ptradd(&large[100], 300000, 1, 300007 - 100), &large[300007]);
    CHECK_SAME(bupc_ptradd(NULL, 0, sizeof(int), 0), NULL);
    return check_done();
}
