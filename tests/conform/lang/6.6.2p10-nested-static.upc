// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.2p10
// In a nested upc_forall only the outermost one with an affinity controls.
#include "../../check.h"

enum { N = 6 };
shared int hits[N * THREADS];

int main(void)
{
    int outer = 0, inner = 0;
    upc_forall(int i = 0; i < N * THREADS; i++; i) {
        outer++;
        upc_forall(int j = 0; j < N * THREADS; j++; &hits[j]) {
            inner++;
            hits[i]++;
        }
    }
    upc_barrier;
    CHECK_EQ(outer, N);
    CHECK_EQ(inner, N * N * THREADS);
    for (int i = 0; i < N * THREADS; i++)
        CHECK_EQ(hits[i], N * THREADS);
    return check_done();
}
