// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.3.2p2
// upc_phaseof returns the phase component.
#include "../../check.h"

shared [6] short a[12 * THREADS];
shared short b[THREADS];
shared [] short c[5];

int main(void)
{
    for (int i = 0; i < 12 * THREADS; i++)
        CHECK_EQ(upc_phaseof(&a[i]), i % 6);
    CHECK_EQ(upc_phaseof(&b[THREADS - 1]), 0);
    CHECK_EQ(upc_phaseof(&c[4]), 0);
    shared [6] short *end = a + 12 * THREADS;
    CHECK_EQ(upc_phaseof(end), 0);
    return check_done();
}
