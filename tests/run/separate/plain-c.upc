// SPDX-License-Identifier: BSD-3-Clause
// A plain C object beside UPC: values, structures, callbacks and local pointers to shared data.
//@ with: plain.c
#include "../../check.h"
#include "inputs/plain.h"

shared [16] double data[16 * THREADS];
static int seen;

static void callback(int value)
{
    seen += value + MYTHREAD;
}

int main(void)
{
    double *mine = (double *)&data[16 * MYTHREAD];
    plain_fill(mine, 16, MYTHREAD);
    upc_barrier;
    int next = (MYTHREAD + 1) % THREADS;
    for (int i = 0; i < 16; i++)
        CHECK(data[16 * next + i] == next + i);
    struct plain_pair pair = plain_swap((struct plain_pair){1, 2.5});
    CHECK(pair.i == 2 && pair.d == 1);
    plain_repeat(3, callback);
    CHECK_EQ(seen, 3 + 3 * MYTHREAD);
    CHECK(plain_sum(mine, 16) == 16 * MYTHREAD + 120);
    return check_done();
}
