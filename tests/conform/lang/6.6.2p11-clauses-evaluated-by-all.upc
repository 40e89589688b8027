// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.2p11
// Every thread evaluates all four clauses, of the iterations that it does not perform too.
#include "../../check.h"

int main(void)
{
    int inits = 0, conditions = 0, steps = 0, affinities = 0, bodies = 0, i;
    int n = 5 * THREADS;
    upc_forall((inits++, i = 0); (conditions++, i < n); (steps++, i++); (affinities++, i)) bodies++;
    CHECK_EQ(inits, 1);
    CHECK_EQ(conditions, n + 1);
    CHECK_EQ(steps, n);
    CHECK_EQ(affinities, n);
    CHECK_EQ(bodies, 5);
    CHECK_EQ(i, n);
    return check_done();
}
