// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.2p7
// == and != look at the object, not at the phase.
#include "../../check.h"

shared [4] int a[8 * THREADS];

int main(void)
{
    shared [4] int *p = &a[6];
    shared [4] int *q = upc_resetphase(p);
    CHECK_EQ(upc_phaseof(p), 2);
    CHECK_EQ(upc_phaseof(q), 0);
    CHECK(p == q);
    CHECK(!(p != q));
    CHECK((shared void *)p == (shared void *)q);
    CHECK(p + 1 != p);
    CHECK(&a[0] != &a[4]);
    return check_done();
}
