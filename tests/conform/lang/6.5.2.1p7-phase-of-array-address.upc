// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2.1p7
// The address of any shared array has phase 0.
#include "../../check.h"

shared [3] int a[4 * THREADS];
shared [7] char b[3][THREADS];
shared [*] double c[5 * THREADS];
shared [] int d[5];
shared int e[THREADS];

int main(void)
{
    CHECK_EQ(upc_phaseof(&a), 0);
    CHECK_EQ(upc_phaseof(&b), 0);
    CHECK_EQ(upc_phaseof(&c), 0);
    CHECK_EQ(upc_phaseof(&d), 0);
    CHECK_EQ(upc_phaseof(&e), 0);
    CHECK_EQ(upc_phaseof(a), 0);
    CHECK_EQ(upc_threadof(&b), 0);
    return check_done();
}
