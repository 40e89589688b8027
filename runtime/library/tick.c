/* SPDX-License-Identifier: BSD-3-Clause */
/* <upc_tick.h> (UPC 1.3 library 7.5): ticks are the monotonic clock's nanoseconds, which cost about
 * 20 ns to read and need no calibration. */
#include "platform/os.h"

uint64_t upc_ticks_now(void);
uint64_t upc_ticks_to_ns(uint64_t ticks);

uint64_t upc_ticks_now(void) {
    return fl_os_now_ns();
}

uint64_t upc_ticks_to_ns(uint64_t ticks) {
    return ticks;
}
