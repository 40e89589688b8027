// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.2p9
// With `continue` or no affinity every thread performs every iteration.
#include "../../check.h"

int main(void)
{
    int a = 0, b = 0;
    upc_forall(int i = 0; i < 9; i++; continue) a += i;
    upc_forall(int i = 0; i < 9; i++;) b += i;
    CHECK_EQ(a, 36);
    CHECK_EQ(b, 36);
    return check_done();
}
