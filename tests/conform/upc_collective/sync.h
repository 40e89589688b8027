// SPDX-License-Identifier: BSD-3-Clause
// Random choices that all threads make alike, and calls with every combination of flags by threads
// that arrive at different times.
#ifndef FURLONG_TESTS_COLLECTIVE_SYNC_H
#define FURLONG_TESTS_COLLECTIVE_SYNC_H

#include "../../check.h"
#include <upc_collective.h>

static unsigned long random_state = 88172645463325252ul;
static unsigned long random_own;

static unsigned long random_step(unsigned long *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

// 0 to n - 1, the same in all threads.
static size_t pick(size_t n)
{
    return (random_step(&random_state) >> 11) % n;
}

static const upc_flag_t in_flags[] = {UPC_IN_NOSYNC, UPC_IN_MYSYNC, UPC_IN_ALLSYNC, 0};
static const upc_flag_t out_flags[] = {UPC_OUT_NOSYNC, UPC_OUT_MYSYNC, UPC_OUT_ALLSYNC, 0};

// The flags of trial `i`. In 16 trials each combination comes once.
static upc_flag_t flags_of(int i)
{
    return in_flags[i % 4] | out_flags[i / 4 % 4];
}

// Between the last access to the operands and the call: what the program owes where the call does
// not wait. The threads arrive at different times.
static void before_call(upc_flag_t flags)
{
    if (random_own == 0)
        random_own = 977 * (MYTHREAD + 1);
    if (flags & UPC_IN_NOSYNC)
        upc_barrier;
    for (unsigned long i = random_step(&random_own) % 5; i > 0; i--)
        sched_yield();
}

// Between the call and the first access to results with affinity to the calling thread.
static void after_call(upc_flag_t flags)
{
    if (flags & UPC_OUT_NOSYNC)
        upc_barrier;
}

// Whether all results may be read by all threads now. If so a barrier must follow.
static int all_is_done(upc_flag_t flags)
{
    return (flags & UPC_OUT_MYSYNC) == 0;
}

#endif
