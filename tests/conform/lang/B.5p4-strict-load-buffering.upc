// SPDX-License-Identifier: BSD-3-Clause
//@ spec: B.5p4
//@ mappings: 2x1 1x2
// Example 2: SR(x,1) SW(x,2) beside SR(x,2) SW(x,1) is disallowed.
#include "inputs/litmus.h"

strict shared [] int x[LITMUS_SLOTS];

static void reset(int slot)
{
    x[slot] = 0;
}

static int thread0(int slot)
{
    int read = x[slot];
    x[slot] = 2;
    return read;
}

static int thread1(int slot)
{
    int read = x[slot];
    x[slot] = 1;
    return read;
}

static int forbidden(int read0, int read1)
{
    return read0 == 1 && read1 == 2;
}

int main(void)
{
    return litmus_run(thread0, thread1, reset, forbidden);
}
