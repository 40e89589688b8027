// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2.1p2
//@ warn: W0319 W0319
// The multiplier is one constant expression; a product of several is diagnosed, and means what
// it seems to.
#include "../../check.h"

shared int x[THREADS * 100 * 20]; //~ warning W0319
shared [2] int y[3 * THREADS * 4]; //~ warning W0319

int main(void)
{
    CHECK_EQ(sizeof x, 2000 * THREADS * sizeof(int));
    CHECK_EQ(upc_localsizeof(y), 12 * sizeof(int));
    return check_done();
}
