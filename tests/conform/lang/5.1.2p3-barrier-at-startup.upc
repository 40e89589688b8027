// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 5.1.2p3
//@ mappings: 1x1 3x1 1x3 2x2 8x1 1x8
// Shared objects have their initial values before any thread enters main.
#include "../../check.h"

shared int initialised = 77;
shared int zero[THREADS];

int main(void)
{
    CHECK_EQ(initialised, 77);
    for (int t = 0; t < THREADS; t++)
        CHECK_EQ(zero[t], 0);
    return check_done();
}
