// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 5.1.2.3p2
// Accesses through pointers-to-local are ordered by strict accesses as relaxed ones are.
//@ mappings: 2x1 1x2
#include "../../check.h"

enum { N = 20000 };
shared int data[THREADS];
strict shared int flag;
strict shared int taken;

int main(void)
{
    int *mine = (int *)&data[MYTHREAD];
    for (int i = 1; i <= N; i++) {
        if (MYTHREAD == 0) {
            *mine = i;
            flag = i;
            WAIT_UNTIL(taken == i);
        } else if (MYTHREAD == 1) {
            WAIT_UNTIL(flag == i);
            CHECK_EQ(data[0], i);
            taken = i;
        }
    }
    return check_done();
}
