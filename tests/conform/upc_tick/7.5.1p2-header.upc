// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.5p1 7.5.1.1p2 7.5.1.2p2
// The header alone declares the type, its bounds and both functions.
#include <upc_tick.h>
#include <upc_tick.h>

#if __UPC_TICK__ != 1
#error __UPC_TICK__
#endif

static upc_tick_t (*now)(void) = upc_ticks_now;
static uint64_t (*to_ns)(upc_tick_t) = upc_ticks_to_ns;
static const upc_tick_t least = UPC_TICK_MIN, most = UPC_TICK_MAX;

#include "../../check.h"

int main(void)
{
    CHECK((upc_tick_t)-1 > 0);
    CHECK((upc_tick_t)0.5 == 0);
    CHECK(most == (upc_tick_t)-1 && (upc_tick_t)(most + 1) == least);
    CHECK(_Generic(UPC_TICK_MAX, upc_tick_t: 1, default: 0));
    CHECK(_Generic(UPC_TICK_MIN, upc_tick_t: 1, default: 0));
    CHECK(to_ns(now()) > 0);
    return check_done();
}
