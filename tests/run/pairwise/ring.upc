// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x2 3x1 1x3 5x1 1x5 7x1 8x1 1x8 2:3x1 2:2x2 3:3x2
/* A token goes round a ring; whoever has it may write what all write, and signals are counted. */
#include "../../check.h"
#include <upc_relaxed.h>
#include <upcx_pairwise.h>

#define LAPS 100

static shared long token;
static shared int laps[THREADS];

static void circulate(void)
{
    int next = (MYTHREAD + 1) % THREADS, before = (MYTHREAD + THREADS - 1) % THREADS;
    for (int lap = 0; lap < LAPS; lap++) {
        if (MYTHREAD > 0 || lap > 0) {
            if (lap % 3 == 1)
                WAIT_UNTIL(upcx_try_wait(before));
            else
                upcx_wait(before);
        }
        CHECK_EQ(token, (long)lap * THREADS + MYTHREAD);
        CHECK_EQ(laps[before], lap + (MYTHREAD > 0));
        token++;
        laps[MYTHREAD] = lap + 1;
        upcx_signal(next);
    }
    if (MYTHREAD == 0)
        upcx_wait(before);
}

/* As many as were sent, and by whom. */
static void count(void)
{
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < MYTHREAD + 2; i++)
            upcx_signal(t);
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        int n = 0;
        while (upcx_try_wait(t))
            n++;
        CHECK_EQ(n, t + 2);
    }
    upc_barrier;
}

int main(void)
{
    circulate();
    CHECK(!upcx_try_wait((MYTHREAD + THREADS - 1) % THREADS));
    upc_barrier;
    count();
    return check_done();
}
