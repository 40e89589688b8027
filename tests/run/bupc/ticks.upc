// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2x2
// Berkeley's clock agrees with the host's, whatever its functions are called.
#include <math.h>
#include <time.h>

#include "../../check.h"

static uint64_t wall_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ull + now.tv_nsec;
}

int main(void)
{
    uint64_t outer = wall_ns();
    bupc_tick_t start = bupc_ticks_now();
    uint64_t inner = wall_ns();
    while (wall_ns() - inner < 3000000)
        ;
    uint64_t least = wall_ns() - inner;
    bupc_tick_t end = bupc_ticks_now();
    uint64_t most = wall_ns() - outer;

    uint64_t ns = bupc_ticks_to_ns(end - start);
    CHECK(ns >= least && ns <= most);
    CHECK_EQ(bupc_ticks_to_us(end - start), ns / 1000);
    CHECK(start >= BUPC_TICK_MIN && end <= BUPC_TICK_MAX && BUPC_TICK_MIN < BUPC_TICK_MAX);
    CHECK(bupc_tick_granularityus() > 0 && bupc_tick_granularityus() < 1000);
    CHECK(bupc_tick_overheadus() > 0 && bupc_tick_overheadus() < 1000);
    return check_done();
}
