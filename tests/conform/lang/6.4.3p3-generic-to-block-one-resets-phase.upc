// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.3p3
// From shared void * to block size one or indefinite, the phase becomes zero.
#include "../../check.h"

shared [6] int a[12 * THREADS];

int main(void)
{
    for (int i = 0; i < 12 * THREADS; i++) {
        shared void *g = &a[i];
        shared int *one = g;
        shared [] int *none = g;
        CHECK_EQ(upc_phaseof(g), i % 6);
        CHECK_EQ(upc_phaseof(one), 0);
        CHECK_EQ(upc_phaseof(none), 0);
        CHECK(one == g && none == g);
        CHECK_EQ(upc_threadof(one + 1), (i / 6 + 1) % THREADS);
        CHECK_EQ(upc_threadof(none + 1), i / 6 % THREADS);
    }
    return check_done();
}
