// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.3p2
// Only block size and ultimate element size count: another array shape keeps the phase.
#include "../../check.h"

shared [4] int a[12 * THREADS];

int main(void)
{
    for (int i = 0; i + 3 < 12 * THREADS; i++) {
        shared [4] int(*pair)[2] = (shared [4] int(*)[2]) & a[i];
        CHECK_EQ(upc_phaseof(pair), i % 4);
        CHECK(&(*pair)[1] == &a[i + 1]);
        CHECK(&(*(pair + 1))[1] == &a[i + 3]);
        CHECK_EQ(upc_phaseof((shared [4] int *)pair), i % 4);
    }
    return check_done();
}
