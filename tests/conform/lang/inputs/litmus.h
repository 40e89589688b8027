// SPDX-License-Identifier: BSD-3-Clause
// Runs the two threads of a litmus test many times side by side and counts the forbidden
// outcomes. Each run has its own slot of the shared variables, a cache line from the next.
#include "../../../check.h"
#include <sys/syscall.h>
#include <unistd.h>
#include <upc_castable.h>

enum { LITMUS_RUNS = 2000, LITMUS_ROUNDS = 20, LITMUS_STRIDE = 16 };
enum { LITMUS_SLOTS = LITMUS_RUNS * LITMUS_STRIDE };

relaxed shared [LITMUS_RUNS] int litmus_outcome[LITMUS_RUNS * THREADS];

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

// Puts each thread on a core of its own: on one core nothing can be seen out of order.
static inline void litmus_spread(void)
{
    unsigned long allowed[16] = {0}, chosen[16] = {0};
    long bytes = syscall(SYS_sched_getaffinity, 0, sizeof allowed, allowed);
    int before = MYTHREAD % 2;
    for (int cpu = 0; cpu < 8 * bytes; cpu++)
        if (allowed[cpu / 64] >> cpu % 64 & 1 && before-- == 0) {
            chosen[cpu / 64] = 1UL << cpu % 64;
            syscall(SYS_sched_setaffinity, 0, sizeof chosen, chosen);
        }
}

// Between hosts an access takes a thousand times as long, and neither CPUs nor the compiler reorder
// what goes through messages: some rounds will do.
static inline int litmus_rounds_here(int rounds)
{
    int other = THREADS > 1 ? 1 - MYTHREAD % 2 : 0;
    return upc_cast(&litmus_outcome[LITMUS_RUNS * other]) ? rounds : (rounds + 9) / 10;
}

// `reset` is called on both threads. Where thread 1 resets what thread 0 writes, and thread 0
// what thread 1 writes, stores take longest and reordering is seen most often.
static inline void litmus_rounds(int rounds, litmus_step *thread0, litmus_step *thread1,
                                 void (*reset)(int slot),
                                 int (*forbidden)(int outcome0, int outcome1))
{
    for (int round = 0; round < litmus_rounds_here(rounds); round++) {
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
        upc_barrier;
    }
}

static inline int litmus_run(litmus_step *thread0, litmus_step *thread1, void (*reset)(int slot),
                             int (*forbidden)(int outcome0, int outcome1))
{
    litmus_spread();
    litmus_rounds(LITMUS_ROUNDS, thread0, thread1, reset, forbidden);
    return check_done();
}
