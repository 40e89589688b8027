// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5p3
// A block size said twice is one block size.
#include "../../check.h"

typedef shared [2] int pair;
shared [2] pair a[4 * THREADS];
pair b[4 * THREADS];

int main(void)
{
    CHECK_EQ(upc_blocksizeof(a), 2);
    CHECK_EQ(upc_blocksizeof(b), 2);
    CHECK_EQ(upc_threadof(&a[3]), 1 % THREADS);
    return check_done();
}
