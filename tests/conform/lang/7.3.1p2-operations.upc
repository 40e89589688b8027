// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.3.1p1 7.3.1p2
// All combinations of operations are distinct, positive, below 65536, of type upc_op_t.
#include "../../check.h"

static const upc_op_t ops[] = {UPC_ADD,    UPC_MULT,  UPC_AND, UPC_OR, UPC_XOR,
                               UPC_LOGAND, UPC_LOGOR, UPC_MIN, UPC_MAX};
enum { COUNT = sizeof ops / sizeof ops[0] };
static char taken[65536];

#if UPC_ADD + UPC_MULT + UPC_AND + UPC_OR + UPC_XOR + UPC_LOGAND + UPC_LOGOR + UPC_MIN + UPC_MAX < 9
#error not usable in #if
#endif

int main(void)
{
    for (int set = 1; set < 1 << COUNT; set++) {
        long combined = 0;
        for (int i = 0; i < COUNT; i++)
            if (set >> i & 1)
                combined |= ops[i];
        CHECK(combined > 0 && combined < 65536);
        CHECK_EQ(taken[combined & 65535], 0);
        taken[combined & 65535] = 1;
    }
    CHECK(_Generic((__typeof__(UPC_ADD))0, upc_op_t: 1, default: 0));
    return check_done();
}
