// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 5.1.2.3p5
//@ mappings: 2x1 1x2
// Relaxed writes before a strict write are seen by whoever has seen the strict write.
#include "../../check.h"

enum { N = 20000 };
relaxed shared [] int data[4];
strict shared int flag;
strict shared int taken;

int main(void)
{
    for (int i = 1; i <= N; i++) {
        if (MYTHREAD == 0) {
            for (int k = 0; k < 4; k++)
                data[k] = i * (k + 1);
            flag = i;
            WAIT_UNTIL(taken == i);
        } else if (MYTHREAD == 1) {
            WAIT_UNTIL(flag == i);
            for (int k = 3; k >= 0; k--)
                CHECK_EQ(data[k], i * (k + 1));
            taken = i;
        }
    }
    return check_done();
}
