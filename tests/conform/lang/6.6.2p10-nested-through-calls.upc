// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.2p10
// Nesting is dynamic: it reaches through calls, and ends with the controlling loop.
#include "../../check.h"

static int count(int n)
{
    int turns = 0;
    upc_forall(int i = 0; i < n; i++; i) turns++;
    return turns;
}

int main(void)
{
    CHECK_EQ(count(5 * THREADS), 5);
    int outer = 0;
    upc_forall(int i = 0; i < 3 * THREADS; i++; i) {
        outer++;
        CHECK_EQ(count(5 * THREADS), 5 * THREADS);
    }
    CHECK_EQ(outer, 3);
    CHECK_EQ(count(5 * THREADS), 5);
    upc_forall(int i = 0; i < 3; i++; continue) CHECK_EQ(count(5 * THREADS), 5);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(count(5 * THREADS), 5);
    return check_done();
}
