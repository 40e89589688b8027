// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.1p8
// upc_barrier evaluates its expression once, though it is notify and wait.
#include "../../check.h"

static int calls;

static int value(void)
{
    return ++calls;
}

int main(void)
{
    upc_barrier value();
    CHECK_EQ(calls, 1);
    upc_barrier calls++;
    CHECK_EQ(calls, 2);
    upc_barrier(void) 0, value();
    CHECK_EQ(calls, 3);
    return check_done();
}
