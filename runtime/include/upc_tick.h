/* SPDX-License-Identifier: BSD-3-Clause */
/* <upc_tick.h>: a fast clock (UPC 1.3 library 7.5). Ticks of different hosts do not compare. */
#ifndef FURLONG_UPC_TICK_H
#define FURLONG_UPC_TICK_H

#include <stdint.h>

typedef uint64_t upc_tick_t;
#define UPC_TICK_MAX UINT64_MAX
#define UPC_TICK_MIN ((upc_tick_t)0)

upc_tick_t upc_ticks_now(void);
uint64_t upc_ticks_to_ns(upc_tick_t ticks);

#endif
