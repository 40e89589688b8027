// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.1.2p2
// upc_localsizeof bounds what any thread holds, and is the same everywhere.
#include "../../check.h"

shared int cyclic[10 * THREADS];
shared [4] double blocked[6 * THREADS];
shared [*] char star[7 * THREADS];
shared [3] short two[2][5 * THREADS];
shared [] long indefinite[9];
shared char scalar;

#define BOUNDS(a)                                                                             \
    do {                                                                                      \
        size_t block = upc_blocksizeof(a) * upc_elemsizeof(a);                                \
        for (int t = 0; t < THREADS; t++)                                                     \
            CHECK(upc_localsizeof(a) >= upc_affinitysize(sizeof(a), block, t));               \
        CHECK(upc_localsizeof(a) <= sizeof(a) + block);                                       \
    } while (0)

int main(void)
{
    BOUNDS(cyclic);
    BOUNDS(blocked);
    BOUNDS(star);
    BOUNDS(two);
    BOUNDS(indefinite);
    CHECK(upc_localsizeof scalar >= 1);
    CHECK_EQ(upc_localsizeof(cyclic), 10 * sizeof(int));
    CHECK_EQ(upc_localsizeof(indefinite), 9 * sizeof(long));
    return check_done();
}
