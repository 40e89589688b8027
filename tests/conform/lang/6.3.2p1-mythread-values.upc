// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.3.2p1
//@ mappings: 1x1 2x1 1x3 2x2 1x7 8x1
// MYTHREAD is unique, from 0 to THREADS-1.
#include "../../check.h"

shared int hits[THREADS];

int main(void)
{
    CHECK(MYTHREAD >= 0 && MYTHREAD < THREADS);
    hits[MYTHREAD] += 1;
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        CHECK_EQ(hits[t], 1);
    CHECK_EQ(upc_threadof(&hits[MYTHREAD]), MYTHREAD);
    return check_done();
}
