// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.1.1p3
// The layout qualifier may be absent, empty, a constant expression or [*].
#include "../../check.h"

enum { FOUR = 4 };
shared int none[8 * THREADS];
shared [] int empty[8];
shared [0] int zero[8];
shared [FOUR] int constant[8 * THREADS];
shared [sizeof(int) * 2 - FOUR] int expression[8 * THREADS];
shared [FOUR > 3 ? 2 : 5] int conditional[8 * THREADS];
shared [*] int star[8 * THREADS];
shared ['\2'] int character[8 * THREADS];

int main(void)
{
    CHECK_EQ(upc_blocksizeof(none), 1);
    CHECK_EQ(upc_blocksizeof(empty), 0);
    CHECK_EQ(upc_blocksizeof(zero), 0);
    CHECK_EQ(upc_blocksizeof(constant), 4);
    CHECK_EQ(upc_blocksizeof(expression), 4);
    CHECK_EQ(upc_blocksizeof(conditional), 2);
    CHECK_EQ(upc_blocksizeof(star), 8);
    CHECK_EQ(upc_blocksizeof(character), 2);
    return check_done();
}
