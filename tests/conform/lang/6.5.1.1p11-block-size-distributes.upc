// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p11 6.5.2.1p12
//@ mappings: 1x1 3x1 1x5 2x2 1x7
// A block size of n puts n consecutive ultimate elements on one thread.
#include "../../check.h"

shared [1] int one[12 * THREADS];
shared [5] int five[12 * THREADS];
shared [] int all[12];
shared [0] int zero[12];
shared int none[12 * THREADS];
shared [100] char big[3 * THREADS];

int main(void)
{
    for (int i = 0; i < 12 * THREADS; i++) {
        CHECK_EQ(upc_threadof(&one[i]), i % THREADS);
        CHECK_EQ(upc_threadof(&none[i]), i % THREADS);
        CHECK_EQ(upc_threadof(&five[i]), i / 5 % THREADS);
        CHECK_EQ(upc_phaseof(&five[i]), i % 5);
        CHECK_EQ(upc_phaseof(&one[i]), 0);
    }
    for (int i = 0; i < 12; i++) {
        CHECK_EQ(upc_threadof(&all[i]), 0);
        CHECK_EQ(upc_threadof(&zero[i]), 0);
    }
    for (int i = 0; i < 3 * THREADS; i++)
        CHECK_EQ(upc_threadof(&big[i]), i / 100 % THREADS);
    return check_done();
}
