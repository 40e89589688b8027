// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.3.3p1 7.3.3p2
// All combinations of synchronisation flags are distinct, positive, below 64.
#include "../../check.h"

static const upc_flag_t flags[] = {UPC_OUT_ALLSYNC, UPC_OUT_MYSYNC, UPC_OUT_NOSYNC,
                                   UPC_IN_ALLSYNC,  UPC_IN_MYSYNC,  UPC_IN_NOSYNC};
static char taken[64];

#if UPC_IN_ALLSYNC <= 0 || UPC_OUT_ALLSYNC <= 0
#error not usable in #if
#endif

int main(void)
{
    for (int set = 1; set < 64; set++) {
        long combined = 0;
        for (int i = 0; i < 6; i++)
            if (set >> i & 1)
                combined |= flags[i];
        CHECK(combined > 0 && combined < 64);
        CHECK_EQ(taken[combined & 63], 0);
        taken[combined & 63] = 1;
    }
    CHECK(_Generic((__typeof__(UPC_IN_NOSYNC))0, upc_flag_t: 1, default: 0));
    return check_done();
}
