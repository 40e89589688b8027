// SPDX-License-Identifier: BSD-3-Clause
//@ spec: B.5p9
//@ mappings: 2x1 1x2
// Example 7: RW(x,1) SW(y,1) RW(x,2) beside RR(x,2) RW(x,3) RR(x,1) is disallowed.
#include "inputs/litmus.h"

relaxed shared [] int x[LITMUS_SLOTS];
strict shared [] int y[LITMUS_SLOTS];

static void reset(int slot)
{
    x[slot] = y[slot] = 0;
}

static int thread0(int slot)
{
    x[slot] = 1;
    y[slot] = 1;
    x[slot] = 2;
    return 0;
}

static int thread1(int slot)
{
    int first = x[slot];
    x[slot] = 3;
    return 10 * first + x[slot];
}

static int forbidden(int unused, int reads)
{
    (void)unused;
    return reads == 21;
}

int main(void)
{
    return litmus_run(thread0, thread1, reset, forbidden);
}
