// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2
// A header's guard hides <upc.h> from a second header in one file and not in the other; the second
// header's declarations mean the same in both.
//@ with: order-of-includes-2.upc
//@ separate
#include "inputs/guarded.h"
#include "inputs/behind-guard.h"
#include "../../check.h"

int defined_here;

int main(void)
{
    defined_here = 10 * MYTHREAD;
    defined_there += MYTHREAD;
    upc_barrier;
    CHECK_EQ(defined_there, 5 + MYTHREAD);
    CHECK_EQ(sum_of_both(), 5 + 11 * MYTHREAD);
    return check_done();
}
