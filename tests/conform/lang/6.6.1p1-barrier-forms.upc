// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.1p1
// The four statements with and without their expression, which is a full expression.
#include "../../check.h"

int main(void)
{
    int i = 3;
    upc_barrier;
    upc_barrier 1;
    upc_barrier(1);
    upc_barrier i + 1;
    upc_barrier i++, i;
    CHECK_EQ(i, 4);
    upc_notify;
    upc_wait;
    upc_notify 5;
    upc_wait 5;
    upc_notify(i = 6);
    upc_wait i == 6 ? 6 : 7;
    CHECK_EQ(i, 6);
    upc_fence;
    return check_done();
}
