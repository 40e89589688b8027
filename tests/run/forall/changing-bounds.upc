// SPDX-License-Identifier: BSD-3-Clause
// The counter and the bound change inside: clauses are evaluated anew in each iteration.
#include "../../check.h"

int main(void)
{
    int n = 5, turns = 0, i;
    upc_forall(i = 0; i < n; i++; continue) {
        if (i == 3 && n < 8)
            n = 8;
        if (i == 6)
            i++;
        turns++;
    }
    CHECK_EQ(turns, 7);
    CHECK_EQ(i, 8);
    int limit[2] = {4, 9}, *bound = limit;
    turns = 0;
    upc_forall(i = 0; i < *bound; i += *bound == 9 ? 2 : 1; continue) {
        turns++;
        if (i == 2)
            bound++;
    }
    CHECK_EQ(turns, 6);
    return check_done();
}
