// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.3.4p3 7.4p3
// Reductions without any synchronisation, one after another, by threads that arrive when they
// will: none disturbs another, though all use the same memory of the library within.
#include "sync.h"

enum { CALLS = 200 };
static shared [CALLS] long a[CALLS * THREADS], before[20][CALLS * THREADS];
static shared [] long sums[CALLS];
static shared int everywhere[CALLS][THREADS];
static shared [] int source[CALLS];

int main(void)
{
    const upc_flag_t none = UPC_IN_NOSYNC | UPC_OUT_NOSYNC;
    for (int i = 0; i < CALLS; i++) {
        a[CALLS * MYTHREAD + i] = i + 1;
        if (upc_threadof(&source[i]) == MYTHREAD)
            source[i] = i * i;
    }
    upc_barrier;
    for (int i = 0; i < CALLS; i++) {
        for (int k = (i * 7 + MYTHREAD * 13) % 11; k > 8; k--)
            sched_yield();
        upc_all_reduceL(&sums[i], a, UPC_ADD, (i + 1) * THREADS, CALLS, NULL, none);
        upc_all_broadcast(everywhere[i], &source[i], sizeof(int), none);
        if (i < 20)
            upc_all_prefix_reduceL(before[i], a, UPC_ADD, CALLS * THREADS, CALLS, NULL, none);
    }
    upc_barrier;
    for (int i = 0; i < CALLS; i++) {
        long expected = 0, n = (i + 1) * THREADS;
        for (long k = 0; k < n; k++)
            expected += k % CALLS + 1;
        CHECK_EQ(sums[i], expected);
        CHECK_EQ(everywhere[i][MYTHREAD], i * i);
    }
    for (int i = 0; i < 20; i++)
        for (long k = 0; k < CALLS; k += 37)
            CHECK_EQ(before[i][CALLS * MYTHREAD + k],
                     CALLS * (CALLS + 1l) / 2 * MYTHREAD + (k + 1) * (k + 2) / 2);
    return check_done();
}
