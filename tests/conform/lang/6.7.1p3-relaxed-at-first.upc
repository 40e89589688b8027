// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.7.1p3
// A translation unit starts relaxed; the pragma has nothing to do with other units.
//@ with: strict-unit.upc
#include "../../check.h"

shared int value;
extern int read_strictly(void);

int main(void)
{
    if (MYTHREAD == 0)
        value = 3;
    upc_barrier;
    CHECK_EQ(read_strictly(), 3);
    return check_done();
}
