// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x2 3x1 1x3 5x1 1x7 2:2x1 2:2x2 3:3x1
//@ not-checked: a litmus test races
/* Signals are strict writes and taking them are strict reads, for which relaxed accesses must not
 * be late: message passing, also through a third thread, and store buffering, by signals alone and
 * with a relaxed write and read. */
#include "../../check.h"
#include <upc_relaxed.h>
#include <upcx_pairwise.h>

#define ROUNDS (THREADS == 2 ? 2000 : 300) /* two are most often at the same place at once */

static shared int data[THREADS]; /* each round's, by its writer */
static shared [] int seen[2];

/* Threads leave a barrier one after the other: sometimes this makes up for it. */
static void drift(int round)
{
    for (volatile int i = (round + MYTHREAD) * 2654435761u >> 24; i > 0; i--)
        ;
}

/* Thread 0 writes to all, everybody else passes it on: the last knows what the first did. */
static void pass_messages(int round)
{
    int last = THREADS - 1;
    if (MYTHREAD == 0)
        for (int t = 0; t < THREADS; t++)
            data[t] = round;
    else
        upcx_wait(MYTHREAD - 1);
    CHECK_EQ(data[last - MYTHREAD], round);
    if (MYTHREAD < last)
        upcx_signal(MYTHREAD + 1);
}

/* 0 and the last thread signal each other and look: one of them at least finds a signal. */
static void cross_signals(int round)
{
    int last = THREADS - 1, other = last - MYTHREAD, found = 0;
    int takes_part = THREADS > 1 && (MYTHREAD == 0 || MYTHREAD == last);
    drift(round);
    if (takes_part) {
        upcx_signal(other);
        found = upcx_try_wait(other);
        seen[MYTHREAD == last] = found;
    }
    upc_barrier;
    if (takes_part)
        CHECK(seen[0] || seen[1]);
    if (takes_part && !found)
        upcx_wait(other);
    upc_barrier;
}

/* 0 writes and looks for a signal; the last signals and reads. No signal: the write is there. */
static void cross_write_and_signal(int round)
{
    int last = THREADS - 1, found = 1, read = round;
    drift(round);
    if (MYTHREAD == 0 && last > 0) {
        data[last] = round;
        found = upcx_try_wait(last);
        seen[0] = found;
    } else if (MYTHREAD == last && last > 0) {
        upcx_signal(0);
        read = data[last];
        seen[1] = read == round;
    }
    upc_barrier;
    if (last > 0)
        CHECK(seen[0] || seen[1]);
    if (!found)
        upcx_wait(last);
    upc_barrier;
}

int main(void)
{
    for (int round = 1; round <= ROUNDS; round++) {
        pass_messages(round);
        upc_barrier;
        cross_signals(round);
        cross_write_and_signal(-round);
    }
    return check_done();
}
