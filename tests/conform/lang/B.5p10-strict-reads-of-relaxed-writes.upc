// SPDX-License-Identifier: BSD-3-Clause
//@ spec: B.5p10
//@ mappings: 2x1 1x2
// Example 8: RW(x,1) RW(x,2) beside SR(x,2) SR(x,1) is disallowed.
#include "inputs/litmus.h"

shared [] int x[LITMUS_SLOTS];

static void reset(int slot)
{
    x[slot] = 0;
}

static int thread0(int slot)
{
    relaxed shared [] int *p = &x[slot];
    *p = 1;
    *p = 2;
    return 0;
}

static int thread1(int slot)
{
    strict shared [] int *p = &x[slot];
    int first = *p;
    return 10 * first + *p;
}

static int forbidden(int unused, int reads)
{
    (void)unused;
    return reads == 21 || reads == 20 || reads == 10;
}

int main(void)
{
    return litmus_run(thread0, thread1, reset, forbidden);
}
