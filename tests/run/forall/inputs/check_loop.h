// SPDX-License-Identifier: BSD-3-Clause
// For a upc_forall under test: each thread notes the iterations it performs; afterwards each
// must have been performed once, by the expected thread.
#include "../../../check.h"

enum { MAX_ITERATIONS = 256 };
shared [] int performed_by[MAX_ITERATIONS];
shared [] int times[MAX_ITERATIONS];

static inline void begin_loop(void)
{
    upc_barrier;
    if (MYTHREAD == 0)
        for (int i = 0; i < MAX_ITERATIONS; i++) {
            performed_by[i] = -1;
            times[i] = 0;
        }
    upc_barrier;
}

static inline void perform(int i)
{
    performed_by[i] = MYTHREAD;
    times[i]++;
}

// Iterations from, from + step, ... below `to` by thread (owner of i), no others.
static inline void end_loop(int from, int to, int step, int (*owner)(int))
{
    upc_barrier;
    for (int i = 0; i < MAX_ITERATIONS; i++) {
        int expected = i >= from && i < to && (i - from) % step == 0;
        CHECK_EQ(times[i], expected);
        if (expected)
            CHECK_EQ(performed_by[i], owner(i));
    }
}
