// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.2p10
// A upc_forall whose affinity is continue leaves control to the next one inside.
#include "../../check.h"

enum { N = 4 };

int main(void)
{
    int i_turns = 0, j_turns = 0, k_turns = 0;
    upc_forall(int i = 0; i < N; i++; continue) {
        i_turns++;
        upc_forall(int j = 0; j < N * THREADS; j++; j) {
            j_turns++;
            upc_forall(int k = 0; k < N * THREADS; k++; k) k_turns++;
        }
    }
    CHECK_EQ(i_turns, N);
    CHECK_EQ(j_turns, N * N);
    CHECK_EQ(k_turns, N * N * N * THREADS);
    return check_done();
}
