// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 2x1 1x2 3x1 2x2
// A token goes round by strict flags; the data beside it is relaxed.
#include "../../check.h"

strict shared int turn[THREADS];
relaxed shared long payload;

int main(void)
{
    int next = (MYTHREAD + 1) % THREADS;
    enum { ROUNDS = 2000 };
    for (int round = 1; round <= ROUNDS; round++) {
        if (MYTHREAD != 0 || round > 1)
            WAIT_UNTIL(turn[MYTHREAD] == (MYTHREAD == 0 ? round - 1 : round));
        payload++;
        turn[next] = round;
    }
    if (MYTHREAD == 0)
        WAIT_UNTIL(turn[0] == ROUNDS);
    upc_barrier;
    CHECK_EQ(payload, (long)ROUNDS * THREADS);
    return check_done();
}
