// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.3.2p3
// The phase of null is 0, also when it comes from a function.
#include "../../check.h"

static shared [5] double *nothing(void)
{
    return 0;
}

int main(void)
{
    CHECK_EQ(upc_phaseof(nothing()), 0);
    CHECK_EQ(upc_phaseof(upc_alloc(0)), 0);
    return check_done();
}
