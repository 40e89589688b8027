// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.5.2.2p2
// An interval in ticks agrees with one on the system's clock that encloses it, and with one that
// it encloses.
#include "../../check.h"
#include <time.h>
#include <upc_tick.h>

static uint64_t clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int main(void)
{
    uint64_t outer = clock_ns();
    upc_tick_t start = upc_ticks_now();
    uint64_t inner = clock_ns();
    while (clock_ns() - inner < 3000000)
        sched_yield();
    inner = clock_ns() - inner;
    upc_tick_t end = upc_ticks_now();
    outer = clock_ns() - outer;

    uint64_t ns = upc_ticks_to_ns(end - start);
    CHECK(end > start);
    CHECK(ns >= inner - inner / 100);
    CHECK(ns <= outer + outer / 100);
    CHECK_EQ(upc_ticks_to_ns(0), 0);
    return check_done();
}
