// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p17
// Example 1: `strict shared` is the type qualifier of y.
#include "../../check.h"

strict shared int y;

int main(void)
{
    if (MYTHREAD == 0)
        y = 9;
    upc_barrier;
    CHECK_EQ(y, 9);
    return check_done();
}
