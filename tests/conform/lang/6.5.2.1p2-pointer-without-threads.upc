// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2.1p2
// A pointee's array type may do without THREADS; a typedef may bring it to the object.
#include "../../check.h"

typedef shared [2] int row[5];
typedef shared int per_thread[THREADS];
shared [2] int (*p)[5];
row *q;
per_thread a;
shared [2] int b[3 * THREADS][5];

int main(void)
{
    p = &b[1];
    q = b;
    CHECK_EQ(upc_threadof(p), 5 / 2 % THREADS);
    CHECK_EQ(upc_phaseof(p), 1);
    CHECK(q + 1 == p);
    CHECK_EQ(sizeof a, THREADS * sizeof(int));
    CHECK_EQ(upc_threadof(&a[THREADS - 1]), THREADS - 1);
    return check_done();
}
