// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.3.5p4
// For a declared array nbytes is block size times element size, 0 if indefinite.
#include "../../check.h"

shared [3] int a[5 * THREADS];
shared [] double b[6];
shared char c[4 * THREADS];

int main(void)
{
    size_t sum = 0, count = 0;
    for (int i = 0; i < 5 * THREADS; i++)
        count += upc_threadof(&a[i]) == MYTHREAD;
    CHECK_EQ(upc_affinitysize(sizeof a, 3 * upc_elemsizeof(a), MYTHREAD), count * sizeof(int));
    for (int t = 0; t < THREADS; t++)
        sum += upc_affinitysize(sizeof a, 3 * upc_elemsizeof(a), t);
    CHECK_EQ(sum, sizeof a);
    CHECK_EQ(upc_affinitysize(sizeof b, 0, MYTHREAD), MYTHREAD == 0 ? sizeof b : 0);
    CHECK_EQ(upc_affinitysize(sizeof c, 1, MYTHREAD), 4);
    return check_done();
}
