// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.1.3p3
// The block size of an indefinite layout is 0.
#include "../../check.h"

shared [] int a[4];
shared [0] int b[4];
shared [] int *p;
shared struct { int x; } s;

int main(void)
{
    CHECK_EQ(upc_blocksizeof(a), 0);
    CHECK_EQ(upc_blocksizeof(b), 0);
    CHECK_EQ(upc_blocksizeof(*p), 0);
    CHECK_EQ(upc_blocksizeof(shared [] char), 0);
    CHECK_EQ(upc_blocksizeof(*&s.x), 0);
    return check_done();
}
