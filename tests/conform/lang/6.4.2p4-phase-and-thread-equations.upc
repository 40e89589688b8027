// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.2p4
//@ mappings: 1x1 2x1 3x1 1x5 2x2 1x7
// Adding i to a blocked pointer moves phase and thread as the equations say, for all signs of i.
#include "../../check.h"

enum { B = 4, N = 24 };
shared [B] int a[N * THREADS];

static int floor_div(int x, int y)
{
    return x / y - (x % y < 0);
}

static int floor_mod(int x, int y)
{
    return x - floor_div(x, y) * y;
}

int main(void)
{
    int last = N * THREADS;
    for (int from = 0; from < last; from += 5) {
        shared [B] int *p = &a[from];
        CHECK_EQ(upc_phaseof(p), from % B);
        CHECK_EQ(upc_threadof(p), from / B % THREADS);
        for (int i = -from; from + i < last; i++) {
            shared [B] int *p1 = p + i;
            int moved = (int)upc_phaseof(p) + i;
            CHECK_EQ(upc_phaseof(p1), floor_mod(moved, B));
            CHECK_EQ(upc_threadof(p1),
                     floor_mod((int)upc_threadof(p) + floor_div(moved, B), THREADS));
            CHECK(p1 == &a[from + i]);
            CHECK(p1 - i == p);
        }
    }
    return check_done();
}
