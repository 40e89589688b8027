// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.3p2
// A cast to or from a pointer to an incomplete structure makes the phase zero.
#include "../../check.h"

struct hidden;
shared [4] int a[8 * THREADS];

int main(void)
{
    shared [4] int *p = &a[6];
    shared [4] struct hidden *h = (shared [4] struct hidden *)p;
    CHECK_EQ(upc_phaseof(p), 2);
    CHECK_EQ(upc_phaseof(h), 0);
    CHECK((shared [4] int *)h == p);
    return check_done();
}
