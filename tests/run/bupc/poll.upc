// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2x1 1x3 2x2 1x8
// A program may wait for another thread by polling, with more threads than CPUs too.
#include "../../check.h"

strict shared int turn;

int main(void)
{
    for (int round = 0; round < 20; round++) {
        while (turn != round * THREADS + MYTHREAD)
            bupc_poll();
        turn++;
    }
    upc_barrier;
    CHECK_EQ(turn, 20 * THREADS);
    return check_done();
}
