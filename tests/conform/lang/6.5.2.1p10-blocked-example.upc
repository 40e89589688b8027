// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2.1p10
//@ static-threads: 2
//@ mappings: 2x1 1x2
// Example 3: shared [3] int x[10].
#include "../../check.h"

shared [3] int x[10];

int main(void)
{
    static const int thread[10] = {0, 0, 0, 1, 1, 1, 0, 0, 0, 1};
    for (int i = 0; i < 10; i++)
        CHECK_EQ(upc_threadof(&x[i]), thread[i]);
    return check_done();
}
