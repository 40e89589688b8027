// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.4.2.6p4 7.4.2.6p5 7.4.2.6p6 7.4.2.6p7
// Blocks of any size by random permutations, with every combination of flags.
#include "blocks.h"

static shared int perm[2][THREADS];
static int order[64], turn;

static void call(size_t dst, size_t src, size_t n, upc_flag_t flags)
{
    upc_all_permute(&dst_area[dst], &src_area[src], perm[turn], n, flags);
}

static void model(int trial, size_t thread, size_t dst, size_t src, size_t n)
{
    for (int t = 0; t < THREADS; t++)
        if (order[t] == (int)thread)
            expect(trial, dst, t, src, n);
}

// Each thread writes its own element, which is all that MYSYNC asks for, and not the one that the
// call before may still be reading in another thread.
static void shuffle(void)
{
    for (int t = 0; t < THREADS; t++)
        order[t] = t;
    for (int t = THREADS - 1; t > 0; t--) {
        int other = (int)pick(t + 1), mine = order[t];
        order[t] = order[other];
        order[other] = mine;
    }
    turn = !turn;
    perm[turn][MYTHREAD] = order[MYTHREAD];
}

int main(void)
{
    for (int i = 0; i < 64; i++) {
        shuffle();
        attempt(i, pick(64), pick(64), 1 + pick(most(1)));
    }
    return check_done();
}
