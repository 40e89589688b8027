/* SPDX-License-Identifier: BSD-3-Clause */
/* Berkeley's names for the clock of <upc_tick.h>: bupc_ticks(3). Any thread may call the functions;
 * none waits or fails. */
#ifndef FURLONG_BUPC_TIME_H
#define FURLONG_BUPC_TIME_H

#include <upc_tick.h>

typedef upc_tick_t bupc_tick_t;
#define BUPC_TICK_MAX UPC_TICK_MAX
#define BUPC_TICK_MIN UPC_TICK_MIN

bupc_tick_t bupc_ticks_now(void);
uint64_t bupc_ticks_to_us(bupc_tick_t ticks);
uint64_t bupc_ticks_to_ns(bupc_tick_t ticks);

/* The smallest difference that the clock shows, and what a call takes, in microseconds. */
double bupc_tick_granularityus(void);
double bupc_tick_overheadus(void);

#endif
