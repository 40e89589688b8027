// SPDX-License-Identifier: BSD-3-Clause
// A cast in the middle of a block starts a new block there.
#include "../../check.h"

shared [4] int a[8 * THREADS];

int main(void)
{
    shared [4] int *p = &a[2];
    shared [3] int *q = (shared [3] int *)p;
    shared [4] int *r = (shared [4] int *)q;
    CHECK_EQ(upc_threadof(q + 2), 0);
    CHECK_EQ(upc_threadof(q + 3), 1 % THREADS);
    CHECK_EQ(upc_threadof(p + 2), 1 % THREADS);
    CHECK_EQ(upc_threadof(r + 2), 0);
    CHECK_EQ(upc_threadof(r + 4), 1 % THREADS);
    return check_done();
}
