// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 5.1.2p2
// A shared object is one for all threads, a private object is one per thread.
#include "../../check.h"

shared int common;
int own = 100;
static int own_static;
shared int copies[THREADS];

int main(void)
{
    if (MYTHREAD == THREADS - 1)
        common = 42;
    own += MYTHREAD;
    own_static = own;
    upc_barrier;
    CHECK_EQ(common, 42);
    CHECK_EQ(own, 100 + MYTHREAD);
    CHECK_EQ(own_static, 100 + MYTHREAD);
    copies[MYTHREAD] = own;
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        CHECK_EQ(copies[t], 100 + t);
    return check_done();
}
