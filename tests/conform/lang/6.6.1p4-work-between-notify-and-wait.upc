// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.1p4
// Between notify and wait a thread may work, long or short, and touch shared data.
#include "../../check.h"
#include <unistd.h>

shared int a[THREADS], b[THREADS];

int main(void)
{
    for (int i = 1; i <= 30; i++) {
        a[MYTHREAD] = i;
        upc_notify i;
        b[MYTHREAD] = -i;
        if (i % 10 == MYTHREAD)
            usleep(2000);
        upc_wait i;
        for (int t = 0; t < THREADS; t++)
            CHECK_EQ(a[t], i);
        upc_barrier;
        for (int t = 0; t < THREADS; t++)
            CHECK_EQ(b[t], -i);
        upc_barrier;
    }
    return check_done();
}
