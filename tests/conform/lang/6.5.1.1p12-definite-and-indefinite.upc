// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p12
// Both kinds of block size hold values across threads.
#include "../../check.h"

shared [3] long definite[9 * THREADS];
shared [] long indefinite[9];

int main(void)
{
    for (int i = MYTHREAD; i < 9 * THREADS; i += THREADS)
        definite[i] = i * 3L;
    for (int i = MYTHREAD; i < 9; i += THREADS)
        indefinite[i] = i * 5L;
    upc_barrier;
    for (int i = 0; i < 9 * THREADS; i++)
        CHECK_EQ(definite[i], i * 3);
    for (int i = 0; i < 9; i++)
        CHECK_EQ(indefinite[i], i * 5);
    return check_done();
}
