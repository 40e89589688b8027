// SPDX-License-Identifier: BSD-3-Clause
// Runs the two threads of a litmus test many times side by side and counts the forbidden
// outcomes. Each run has its own slot of the shared variables, a cache line from the next.
#include "../../../check.h"

enum { LITMUS_RUNS = 4000, LITMUS_ROUNDS = 10, LITMUS_STRIDE = 16 };
enum { LITMUS_SLOTS = LITMUS_RUNS * LITMUS_STRIDE };

shared [LITMUS_RUNS] int litmus_outcome[LITMUS_RUNS * THREADS];

// A thread's part of one run: what it read, in one number.
typedef int litmus_step(int slot);

static inline void litmus_thread(litmus_step *step)
{
    static int outcome[LITMUS_RUNS];
    for (int i = 0; i < LITMUS_RUNS; i++)
        outcome[i] = step(i * LITMUS_STRIDE);
    for (int i = 0; i < LITMUS_RUNS; i++)
        litmus_outcome[LITMUS_RUNS * MYTHREAD + i] = outcome[i];
}

static inline int litmus_run(litmus_step *thread0, litmus_step *thread1, void (*reset)(int slot),
                             int (*forbidden)(int outcome0, int outcome1))
{
    for (int round = 0; round < LITMUS_ROUNDS; round++) {
        if (MYTHREAD == 0)
            for (int i = 0; i < LITMUS_RUNS; i++)
                reset(i * LITMUS_STRIDE);
        upc_barrier;
        if (MYTHREAD == 0)
            litmus_thread(thread0);
        else if (MYTHREAD == 1)
            litmus_thread(thread1);
        upc_barrier;
        if (MYTHREAD == 0)
            for (int i = 0; i < LITMUS_RUNS; i++)
                CHECK(!forbidden(litmus_outcome[i], litmus_outcome[LITMUS_RUNS + i]));
    }
    return check_done();
}
