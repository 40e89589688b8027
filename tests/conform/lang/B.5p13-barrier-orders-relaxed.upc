// SPDX-License-Identifier: BSD-3-Clause
//@ spec: B.5p13
//@ mappings: 2x1 1x2 1x3 2x2
// Example 11: RW(x,1) notify wait beside notify wait RR(x,0) is disallowed.
#include "../../check.h"

relaxed shared int x;
relaxed shared int z[THREADS];

int main(void)
{
    for (int i = 1; i < 20000; i++) {
        if (MYTHREAD == 0)
            x = i;
        z[MYTHREAD] = -i;
        upc_notify;
        upc_wait;
        CHECK_EQ(x, i);
        CHECK_EQ(z[(MYTHREAD + 1) % THREADS], -i);
        upc_barrier;
    }
    return check_done();
}
