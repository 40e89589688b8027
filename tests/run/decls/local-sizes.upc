// SPDX-License-Identifier: BSD-3-Clause
//@ static-threads: 3
//@ mappings: 3x1 1x3 3:3x1
// With a fixed number of threads, upc_localsizeof is what the thread with most has.
#include "../../check.h"

shared [4] int last_is_partial[13];
shared [4] int two_rounds[26];
shared [5] double one_block[4];
shared [*] char star[10];
shared [3] short rows[3][5];
shared [] long indefinite[9];
shared int cyclic[7];

#define EXACT(a)                                                                        \
    do {                                                                                \
        size_t block = upc_blocksizeof(a) * upc_elemsizeof(a), most = 0;                \
        for (int t = 0; t < THREADS; t++) {                                             \
            size_t part = upc_affinitysize(sizeof(a), block, t);                        \
            most = part > most ? part : most;                                           \
        }                                                                               \
        CHECK_EQ(upc_localsizeof(a), most);                                             \
    } while (0)

int main(void)
{
    EXACT(last_is_partial);
    EXACT(two_rounds);
    EXACT(one_block);
    EXACT(star);
    EXACT(rows);
    EXACT(cyclic);
    CHECK_EQ(upc_localsizeof(last_is_partial), 5 * sizeof(int));
    CHECK_EQ(upc_localsizeof(indefinite), 9 * sizeof(long));
    for (int i = MYTHREAD; i < 13; i += THREADS)
        last_is_partial[i] = i, two_rounds[2 * i] = i;
    upc_barrier;
    for (int i = 0; i < 13; i++)
        CHECK_EQ(last_is_partial[i] + two_rounds[2 * i], 2 * i);
    upc_barrier;
    return check_done();
}
