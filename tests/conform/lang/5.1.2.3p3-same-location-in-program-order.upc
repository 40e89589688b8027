// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 5.1.2.3p3
// A thread's own relaxed accesses to one location appear in program order, through every name.
#include "../../check.h"

relaxed shared int x[THREADS];
relaxed shared char bytes[THREADS];

int main(void)
{
    shared int *p = &x[MYTHREAD];
    int *local = (int *)p;
    for (int i = 0; i < 10000; i++) {
        x[MYTHREAD] = i;
        CHECK_EQ(*p, i);
        CHECK_EQ(*local, i);
        *local = i + 1;
        CHECK_EQ(x[MYTHREAD], i + 1);
        *p += 1;
        CHECK_EQ(*local, i + 2);
        bytes[(MYTHREAD + 1) % THREADS] = (char)i;
        CHECK_EQ(bytes[(MYTHREAD + 1) % THREADS], (char)i);
    }
    return check_done();
}
