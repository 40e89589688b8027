/* SPDX-License-Identifier: BSD-3-Clause */
/* Berkeley's names for the clock of <upc_tick.h>. */
#ifndef FURLONG_BUPC_TIME_H
#define FURLONG_BUPC_TIME_H

#include <upc_tick.h>

typedef upc_tick_t bupc_tick_t;
#define BUPC_TICK_MAX UPC_TICK_MAX
#define BUPC_TICK_MIN UPC_TICK_MIN

#endif
