// SPDX-License-Identifier: BSD-3-Clause
//@ spec: B.5p7
//@ mappings: 2x1 1x2
// Example 5: SW(x,2) SR(x,1) beside SW(x,1) SR(x,2) is disallowed: one of the writes wins.
#include "inputs/litmus.h"

strict shared [] int x[LITMUS_SLOTS];

static void reset(int slot)
{
    x[slot] = 0;
}

static int thread0(int slot)
{
    x[slot] = 2;
    return x[slot];
}

static int thread1(int slot)
{
    x[slot] = 1;
    return x[slot];
}

static int forbidden(int read0, int read1)
{
    return read0 == 1 && read1 == 2;
}

int main(void)
{
    return litmus_run(thread0, thread1, reset, forbidden);
}
