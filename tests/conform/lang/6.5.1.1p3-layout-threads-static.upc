// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p3
//@ static-threads: 3
//@ mappings: 3x1 1x3
// THREADS is a constant in the static environment.
#include "../../check.h"

shared [THREADS] int a[2 * THREADS * THREADS];

int main(void)
{
    CHECK_EQ(upc_blocksizeof(a), 3);
    CHECK_EQ(upc_threadof(&a[7]), 2);
    return check_done();
}
