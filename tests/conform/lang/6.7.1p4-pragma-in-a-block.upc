// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.7.1p4
//@ mappings: 2x1 1x2
// At the start of a compound statement the pragma holds until its end, for statements inside.
#include "inputs/litmus.h"
#pragma upc relaxed

shared [] int x[LITMUS_SLOTS];
shared [] int y[LITMUS_SLOTS];

static void reset(int slot)
{
    if (MYTHREAD == 1)
        x[slot] = 0;
    else
        y[slot] = 0;
}

static int store_then_load(shared [] int *mine, shared [] int *other)
{
#pragma upc strict
    *mine = 1;
    {
        int got = *other;
        return got;
    }
}

static int thread0(int slot)
{
    return store_then_load(&x[slot], &y[slot]);
}

static int thread1(int slot)
{
    return store_then_load(&y[slot], &x[slot]);
}

static int forbidden(int read0, int read1)
{
    return read0 == 0 && read1 == 0;
}

int main(void)
{
    return litmus_run(thread0, thread1, reset, forbidden);
}
