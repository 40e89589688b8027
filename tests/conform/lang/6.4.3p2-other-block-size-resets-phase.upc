// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.3p2
// A cast to another block size keeps the address and makes the phase zero.
#include "../../check.h"

shared [5] int a[20 * THREADS];

int main(void)
{
    for (int i = 0; i < 20 * THREADS; i++) {
        shared [7] int *seven = (shared [7] int *)&a[i];
        shared [1] int *one = (shared int *)&a[i];
        shared [] int *none = (shared [] int *)&a[i];
        CHECK_EQ(upc_phaseof(seven), 0);
        CHECK_EQ(upc_phaseof(one), 0);
        CHECK_EQ(upc_phaseof(none), 0);
        CHECK((shared void *)seven == &a[i]);
        CHECK((shared void *)one == &a[i]);
        CHECK((shared void *)none == &a[i]);
        CHECK_EQ(upc_phaseof((shared [5] int *)seven), 0);
    }
    return check_done();
}
