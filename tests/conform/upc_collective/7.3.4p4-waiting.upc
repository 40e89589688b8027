// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.3.4p2 7.3.4p3
// What the flags make a call wait for, and that a missing half means ALLSYNC: thread 0 writes the
// source last of all, and the others read the result at once; then it writes over the source.
#include "sync.h"

static shared int source, result[THREADS];

static void before(int value)
{
    if (MYTHREAD == 0) {
        for (int i = 0; i < 20; i++)
            sched_yield();
        source = value;
    }
}

int main(void)
{
    static const upc_flag_t waiting[] = {
        0,
        UPC_IN_ALLSYNC,
        UPC_IN_MYSYNC,
        UPC_OUT_ALLSYNC,
        UPC_OUT_MYSYNC,
        UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC,
        UPC_IN_ALLSYNC | UPC_OUT_MYSYNC,
        UPC_IN_MYSYNC | UPC_OUT_ALLSYNC,
        UPC_IN_MYSYNC | UPC_OUT_MYSYNC,
    };
    for (int i = 0; i < 9 * 20; i++) {
        before(i);
        upc_all_broadcast(result, &source, sizeof(int), waiting[i % 9]);
        CHECK_EQ(result[MYTHREAD], i);
        if ((waiting[i % 9] & UPC_OUT_MYSYNC) == 0) {
            CHECK_EQ(result[(MYTHREAD + 1) % THREADS], i);
            upc_barrier;
        }
    }
    // NOSYNC on the way in: the program has seen to it that all operands are there.
    for (int i = 0; i < 20; i++) {
        before(-i);
        upc_barrier;
        upc_all_broadcast(result, &source, sizeof(int), UPC_IN_NOSYNC);
        CHECK_EQ(result[(MYTHREAD + 1) % THREADS], -i);
        upc_barrier;
    }
    // NOSYNC on the way out: a barrier later the result is there.
    for (int i = 0; i < 20; i++) {
        before(i);
        upc_all_broadcast(result, &source, sizeof(int), UPC_OUT_NOSYNC);
        upc_barrier;
        CHECK_EQ(result[(MYTHREAD + 1) % THREADS], i);
        upc_barrier;
    }
    return check_done();
}
