// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.3p2
// A cast to another size of ultimate element makes the phase zero; another type of it does not.
#include "../../check.h"

shared [4] int a[8 * THREADS];

int main(void)
{
    for (int i = 0; i < 8 * THREADS; i++) {
        shared [4] char *bytes = (shared [4] char *)&a[i];
        shared [4] unsigned *same = (shared [4] unsigned *)&a[i];
        shared [4] float *reals = (shared [4] float *)&a[i];
        shared [4] const int *qualified = &a[i];
        CHECK_EQ(upc_phaseof(bytes), 0);
        CHECK_EQ(upc_phaseof(same), i % 4);
        CHECK_EQ(upc_phaseof(reals), i % 4);
        CHECK_EQ(upc_phaseof((shared void *)qualified), i % 4);
    }
    return check_done();
}
