// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x2 3x1 1x3 5x1 1x5 7x1 8x1 1x8 2:3x1 2:2x2 3:3x2
/* A master gives work to whichever drone has none. All work is done once. */
#include "../../check.h"
#include <upc_relaxed.h>
#include <upcx_pairwise.h>

#define TASKS 60 /* for each drone */
#define NO_MORE (-1)

static shared int task[THREADS];
static shared long result[THREADS];

static long work(int n)
{
    long sum = 0;
    for (int i = 0; i <= n % 97; i++)
        sum += (long)n * i % 31;
    return sum;
}

static void drone(void)
{
    for (;;) {
        upcx_signal(0);
        upcx_wait(0);
        if (task[MYTHREAD] == NO_MORE)
            break;
        result[MYTHREAD] = work(task[MYTHREAD]);
    }
}

static void master(void)
{
    int drones[THREADS], given[THREADS], n = TASKS * (THREADS - 1), next = 0;
    long sum = 0, expected = 0;
    for (int t = 1; t < THREADS; t++) {
        drones[t - 1] = t;
        given[t] = NO_MORE;
    }
    for (int left = THREADS - 1; left > 0;) {
        int t = upcx_wait_any(drones, THREADS - 1);
        if (given[t] != NO_MORE) {
            CHECK_EQ(result[t], work(given[t]));
            sum += result[t];
        }
        given[t] = next < n ? next++ : NO_MORE;
        left -= given[t] == NO_MORE;
        task[t] = given[t];
        upcx_signal(t);
    }
    for (int i = 0; i < n; i++)
        expected += work(i);
    CHECK_EQ(sum, expected);
}

/* Signals that are all there are taken in turns, so that nobody is left for last for ever. */
static void turns(void)
{
    int all[THREADS], taken[THREADS];
    for (int t = 0; t < THREADS; t++) {
        all[t] = t;
        taken[t] = 0;
        for (int i = 0; i < 3; i++)
            upcx_signal(t);
    }
    upc_barrier;
    for (int i = 0; i < 3 * THREADS; i++) {
        taken[upcx_wait_any(all, THREADS)]++;
        for (int t = 0; t < THREADS; t++)
            CHECK(taken[t] == i / THREADS || taken[t] == i / THREADS + 1 || i % THREADS == 0 ||
                  THREADS == 1);
    }
    for (int t = 0; t < THREADS; t++)
        CHECK_EQ(taken[t], 3);
}

int main(void)
{
    if (MYTHREAD > 0)
        drone();
    else
        master();
    upc_barrier;
    turns();
    return check_done();
}
