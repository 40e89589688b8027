// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2p9
// Shared objects that are no arrays have affinity to thread 0, whatever their layout qualifier.
#include "../../check.h"

shared int a;
shared [3] int b;
shared [] double c;
shared struct { int x[100]; } d;
shared int *shared e;
static shared char f;

int main(void)
{
    static shared long g;
    CHECK_EQ(upc_threadof(&a), 0);
    CHECK_EQ(upc_threadof(&b), 0);
    CHECK_EQ(upc_threadof(&c), 0);
    CHECK_EQ(upc_threadof(&d), 0);
    CHECK_EQ(upc_threadof(&d.x[99]), 0);
    CHECK_EQ(upc_threadof(&e), 0);
    CHECK_EQ(upc_threadof(&f), 0);
    CHECK_EQ(upc_threadof(&g), 0);
    CHECK_EQ(upc_phaseof(&b), 0);
    return check_done();
}
