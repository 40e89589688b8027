/* SPDX-License-Identifier: BSD-3-Clause */
/* <upc_tick.h> (UPC 1.3 library 7.5) and Berkeley's names for it: ticks are the monotonic clock's
 * nanoseconds, which cost about 20 ns to read and need no calibration. */
#include "platform/os.h"

uint64_t upc_ticks_now(void);
uint64_t upc_ticks_to_ns(uint64_t ticks);

uint64_t bupc_ticks_now(void);
uint64_t bupc_ticks_to_us(uint64_t ticks);
uint64_t bupc_ticks_to_ns(uint64_t ticks);
double bupc_tick_granularityus(void);
double bupc_tick_overheadus(void);

uint64_t upc_ticks_now(void) {
    return fl_os_now_ns();
}

uint64_t upc_ticks_to_ns(uint64_t ticks) {
    return ticks;
}

uint64_t bupc_ticks_now(void) {
    return fl_os_now_ns();
}

uint64_t bupc_ticks_to_us(uint64_t ticks) {
    return ticks / 1000;
}

uint64_t bupc_ticks_to_ns(uint64_t ticks) {
    return ticks;
}

/* The smallest positive difference of successive readings. */
double bupc_tick_granularityus(void) {
    uint64_t least = UINT64_MAX;
    uint64_t before = fl_os_now_ns();
    for (int i = 0; i < 1000; i++) {
        uint64_t now = fl_os_now_ns();
        if (now != before && now - before < least) {
            least = now - before;
        }
        before = now;
    }
    return (double)least / 1e3;
}

/* The shortest of several rounds: disturbances only make a round longer. */
double bupc_tick_overheadus(void) {
    enum { ROUNDS = 10, CALLS = 100 };
    uint64_t least = UINT64_MAX;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t start = fl_os_now_ns();
        for (int i = 0; i < CALLS - 1; i++) {
            (void)fl_os_now_ns();
        }
        uint64_t took = fl_os_now_ns() - start;
        least = took < least ? took : least;
    }
    return (double)least / CALLS / 1e3;
}
