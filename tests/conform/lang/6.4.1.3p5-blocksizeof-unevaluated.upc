// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.1.3p5 6.4.1.4p4
// The operand of upc_blocksizeof is not evaluated.
#include "../../check.h"

shared [3] int *p;
static int calls;

static shared [3] int *next(void)
{
    calls++;
    return p;
}

int main(void)
{
    CHECK_EQ(upc_blocksizeof(*next()), 3);
    CHECK_EQ(upc_elemsizeof(next()[calls++]), sizeof(int));
    CHECK_EQ(calls, 0);
    return check_done();
}
