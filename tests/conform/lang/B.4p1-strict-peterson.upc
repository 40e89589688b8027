// SPDX-License-Identifier: BSD-3-Clause
//@ spec: B.4p1
//@ mappings: 2x1 1x2
// Peterson's mutual exclusion, right only if strict accesses are sequentially consistent.
#include "inputs/litmus.h"

strict shared int wants[THREADS];
strict shared int turn;
relaxed shared int counter;

int main(void)
{
    int me = MYTHREAD, other = 1 - MYTHREAD;
    litmus_spread();
    for (int i = 0; i < 20000; i++) {
        wants[me] = 1;
        turn = other;
        WAIT_UNTIL(!wants[other] || turn != other);
        counter++;
        wants[me] = 0;
    }
    upc_barrier;
    CHECK_EQ(counter, 40000);
    return check_done();
}
