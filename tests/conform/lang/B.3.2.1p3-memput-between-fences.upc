// SPDX-License-Identifier: BSD-3-Clause
//@ spec: B.3.2.1p3
//@ mappings: 2x1 1x2
// Fences around upc_memput order it: whoever sees y sees z and x.
#include <upc_relaxed.h>
#include "../../check.h"

enum { N = 10000 };
shared int x, y;
shared [] int z[2];
strict shared int taken;

int main(void)
{
    for (int i = 1; i <= N; i++) {
        if (MYTHREAD == 0) {
            int init_z[2] = {-3 * i, -4 * i};
            x = i;
            upc_fence;
            upc_memput(z, init_z, 2 * sizeof(int));
            upc_fence;
            y = i;
            WAIT_UNTIL(taken == i);
        } else {
#pragma upc strict
            int local_y;
            WAIT_UNTIL((local_y = y) == i);
            int local_z1 = z[1];
            int local_z0 = z[0];
            int local_x = x;
            CHECK_EQ(local_z1, -4 * i);
            CHECK_EQ(local_z0, -3 * i);
            CHECK_EQ(local_x, i);
            taken = i;
        }
    }
    return check_done();
}
