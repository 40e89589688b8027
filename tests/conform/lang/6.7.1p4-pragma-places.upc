// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.7.1p4
//@ flags: -O1 -Wall -Wextra -Werror
// All places where the pragma may stand, and several in a row. The C compiler does not see them: it
// would say that it ignores them.
#include "../../check.h"
#pragma upc strict
#pragma upc relaxed
shared int x;
#pragma upc strict

static void bump(void)
{
#pragma upc relaxed
    x++;
    {
#pragma upc strict
        x++;
    }
    if (x > 0) {
#pragma upc relaxed
#pragma upc strict
        int copy = x;
        x = copy + 1;
    }
}

#pragma upc relaxed
int main(void)
{
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        bump();
    upc_barrier;
    CHECK_EQ(x, 3);
    return check_done();
}
#pragma upc strict
