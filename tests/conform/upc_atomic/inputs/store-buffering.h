// SPDX-License-Identifier: BSD-3-Clause
// Store buffering: each thread does WRITE to its variable, then READ of the other's, which are 0.
// Not both may miss the other's write.
#include "../../lang/inputs/litmus.h"
#include "order.h"

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
    WRITE((shared int *)&x[slot]);
    return READ((shared int *)&y[slot]);
}

static int thread1(int slot)
{
    WRITE((shared int *)&y[slot]);
    return READ((shared int *)&x[slot]);
}

static int forbidden(int read0, int read1)
{
    return read0 == 0 && read1 == 0;
}

int main(void)
{
    order_begin();
    return litmus_run(thread0, thread1, reset, forbidden);
}
