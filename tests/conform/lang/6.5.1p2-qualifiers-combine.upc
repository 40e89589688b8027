// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1p2
// shared combines with const, volatile and restrict in any order.
#include "../../check.h"

shared const int a = 1;
const shared volatile int b = 2;
volatile strict shared int c;
shared int *restrict p;
const shared [2] int *unused_name;
int *const shared q = 0;

int main(void)
{
    p = (shared int *)&a;
    if (MYTHREAD == 0)
        c = 3;
    upc_barrier;
    CHECK_EQ(*p + b + c, 6);
    CHECK(q == 0);
    return check_done();
}
