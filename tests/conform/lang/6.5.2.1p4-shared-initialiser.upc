// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2.1p4
// Shared scalars and structures are initialised once; on which thread plays no role.
#include "../../check.h"

shared int a = 5;
shared double b = 1.0 / 4;
shared struct { int x, y; char c[4]; } s = {1, .c = "abc"};
shared int *shared p = 0;

int main(void)
{
    static shared int inside = 17;
    CHECK_EQ(a, 5);
    CHECK(b == 0.25);
    CHECK_EQ(s.x + s.y, 1);
    CHECK_EQ(s.c[2], 'c');
    CHECK_EQ(inside, 17);
    CHECK(p == 0);
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        a = inside = 1;
    upc_barrier;
    CHECK_EQ(a + inside, 2);
    return check_done();
}
