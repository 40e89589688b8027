// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2x1 1x2
// Strict set and read are in one order: of two threads that each set one object and read the
// other's, at least one sees the other's value.
#include "../../conform/lang/inputs/litmus.h"

shared [] int x[LITMUS_SLOTS];
shared [] int y[LITMUS_SLOTS];

static void reset(int slot)
{
    if (MYTHREAD == 1)
        x[slot] = 0;
    else
        y[slot] = 0;
}

static int thread0(int slot)
{
    bupc_atomicI_set_strict(&x[slot], 1);
    return bupc_atomicI_read_strict(&y[slot]);
}

static int thread1(int slot)
{
    bupc_atomicI_set_strict(&y[slot], 1);
    return bupc_atomicI_read_strict(&x[slot]);
}

static int forbidden(int read0, int read1)
{
    return read0 == 0 && read1 == 0;
}

int main(void)
{
    return litmus_run(thread0, thread1, reset, forbidden);
}
