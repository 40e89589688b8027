// SPDX-License-Identifier: BSD-3-Clause
// The litmus test of store buffering: each thread writes one variable, then reads the other's.
// Not both may miss the other's write. X and Y declare the variables, BETWEEN stands between
// write and read.
#include "litmus.h"

X int x[LITMUS_SLOTS];
Y int y[LITMUS_SLOTS];

static void reset(int slot)
{
    if (MYTHREAD == 1)
        x[slot] = 0;
    else
        y[slot] = 0;
}

static int thread0(int slot)
{
    x[slot] = 1;
    BETWEEN;
    return y[slot];
}

static int thread1(int slot)
{
    y[slot] = 1;
    BETWEEN;
    return x[slot];
}

static int forbidden(int read0, int read1)
{
    return read0 == 0 && read1 == 0;
}

int main(void)
{
    return litmus_run(thread0, thread1, reset, forbidden);
}
