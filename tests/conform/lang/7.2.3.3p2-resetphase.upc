// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.3.3p2
// upc_resetphase changes the phase to zero and nothing else.
#include "../../check.h"

shared [5] int a[10 * THREADS];

int main(void)
{
    for (int i = 0; i < 10 * THREADS; i++) {
        shared void *p = upc_resetphase(&a[i]);
        CHECK_EQ(upc_phaseof(p), 0);
        CHECK_EQ(upc_threadof(p), upc_threadof(&a[i]));
        CHECK_EQ(upc_addrfield(p), upc_addrfield(&a[i]));
        CHECK(p == &a[i]);
        shared [5] int *q = p;
        CHECK_EQ(upc_threadof(q + 4), upc_threadof(&a[i]));
        CHECK_EQ(upc_threadof(q + 5), (upc_threadof(&a[i]) + 1) % THREADS);
    }
    CHECK(upc_resetphase(NULL) == NULL);
    return check_done();
}
