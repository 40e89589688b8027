// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 5.1.1.1p1
//@ mappings: 1x1 2x1 1x5 7x1
// In the dynamic THREADS environment one binary runs with any number of threads.
#include "../../check.h"

shared int seen[THREADS];

int main(void)
{
    seen[MYTHREAD] = THREADS;
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        CHECK_EQ(seen[t], THREADS);
    return check_done();
}
