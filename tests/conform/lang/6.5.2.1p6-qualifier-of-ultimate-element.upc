// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2.1p6 6.5.2.1p11
// The qualifier applies to the ultimate element type, also through typedefs of arrays.
#include "../../check.h"

typedef int S[10];
typedef S SS[2];
shared [3] S T[3 * THREADS];
shared [3] int U[3 * THREADS][10];
shared SS V[THREADS];

int main(void)
{
    for (int i = 0; i < 3 * THREADS; i++)
        for (int j = 0; j < 10; j++) {
            CHECK_EQ(upc_threadof(&T[i][j]), upc_threadof(&U[i][j]));
            CHECK_EQ(upc_phaseof(&T[i][j]), upc_phaseof(&U[i][j]));
        }
    shared [3] int(*p)[10] = T;
    CHECK(p == T);
    p = U;
    CHECK_EQ(upc_threadof(&V[0][1][3]), 13 % THREADS);
    CHECK_EQ(upc_elemsizeof(V), sizeof(int));
    return check_done();
}
