// SPDX-License-Identifier: BSD-3-Clause
// Barriers in helpers, recursion, loops and conditionals; split ones over function calls.
#include "../../check.h"

strict shared int stage[THREADS];

static void enter(int value)
{
    upc_notify value;
}

static void leave(int value)
{
    upc_wait value;
}

static int nested(int n)
{
    if (n == 0)
        return 0;
    upc_barrier n;
    return 1 + nested(n - 1);
}

int main(void)
{
    CHECK_EQ(nested(30), 30);
    for (int i = 0; i < 100; i++) {
        stage[MYTHREAD] = i;
        enter(i);
        for (volatile int k = 0; k < 100 * MYTHREAD; k++)
            ;
        leave(i);
        CHECK(stage[(MYTHREAD + 1) % THREADS] >= i);
    }
    return check_done();
}
