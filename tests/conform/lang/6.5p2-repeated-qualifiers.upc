// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5p2
// Saying the same qualifier twice is C99's business and harmless.
#include "../../check.h"

typedef strict shared int strict_int;
strict strict_int x;
shared shared int y;
const shared const int z = 3;

int main(void)
{
    if (MYTHREAD == 0)
        x = y = 5;
    upc_barrier;
    CHECK_EQ(x + y + z, 13);
    return check_done();
}
