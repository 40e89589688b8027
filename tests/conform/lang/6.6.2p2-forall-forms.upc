// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.2p2
//@ warn: W0519
// upc_forall with a declaration or without, with empty clauses, with any statement as its body.
#include "../../check.h"

shared int a[4 * THREADS];

int main(void)
{
    int i, n = 4 * THREADS, turns = 0;
    upc_forall(i = 0; i < n; i++; &a[i]) a[i] = i;
    upc_forall(int k = 0; k < n; k++; k) a[k] += 1;
    upc_forall(int k = 0, m = n; k < m; k++; continue) turns++;
    upc_forall(i = 0; i < n; i++;) turns++;
    i = 0;
    upc_forall(; i < n; i++; i)
        if (i % 2)
            a[i] *= 2;
        else
            a[i] *= 3;
    i = 0;
    upc_forall(; i < n; ; continue) { i++; }
    upc_forall(i = 0; i < n; i++; &a[i]);
    upc_barrier;
    CHECK_EQ(turns, 2 * n);
    for (i = 0; i < n; i++)
        CHECK_EQ(a[i], (i + 1) * (i % 2 ? 2 : 3));
    return check_done();
}
