// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.4p1
// The address of a member of a shared structure has type shared [] T *.
#include "../../check.h"

struct inner { short s; int v[3]; };
struct outer { char c; struct inner in; double d; };
shared struct outer one;
shared [2] struct outer many[6 * THREADS];

int main(void)
{
    shared [] double *d = &one.d;
    shared [] int *v = &one.in.v[1];
    CHECK_EQ(upc_blocksizeof(*&one.c), 0);
    CHECK_EQ(upc_threadof(d), 0);
    for (int i = 0; i < 6 * THREADS; i++) {
        shared [] struct inner *in = &many[i].in;
        shared [] int *p = &many[i].in.v[0];
        CHECK_EQ(upc_threadof(in), i / 2 % THREADS);
        CHECK_EQ(upc_phaseof(p), 0);
        CHECK_EQ(upc_threadof(p + 2), i / 2 % THREADS);
        CHECK(p + 2 == &many[i].in.v[2]);
        CHECK_EQ(upc_addrfield(&many[i].d) - upc_addrfield(&many[i]),
                 offsetof(struct outer, d));
    }
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        *d = 2.5;
        *v = 7;
    }
    upc_barrier;
    CHECK(one.d == 2.5);
    CHECK_EQ(one.in.v[1], 7);
    return check_done();
}
