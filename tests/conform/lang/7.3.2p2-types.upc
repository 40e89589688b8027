// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.3.2p1 7.3.2p2
// The type designators are distinct, positive, below 65536, of type upc_type_t.
#include "../../check.h"

static const upc_type_t types[] = {
    UPC_CHAR,   UPC_UCHAR, UPC_SHORT,  UPC_USHORT, UPC_INT,    UPC_UINT,  UPC_LONG,    UPC_ULONG,
    UPC_LLONG,  UPC_ULLONG, UPC_INT8,  UPC_UINT8,  UPC_INT16,  UPC_UINT16, UPC_INT32,  UPC_UINT32,
    UPC_INT64,  UPC_UINT64, UPC_FLOAT, UPC_DOUBLE, UPC_LDOUBLE, UPC_PTS};
static char taken[65536];

#if UPC_CHAR <= 0 || UPC_PTS <= 0 || UPC_CHAR == UPC_UCHAR
#error not usable in #if
#endif

int main(void)
{
    for (int i = 0; i < 22; i++) {
        CHECK(types[i] > 0 && types[i] < 65536);
        CHECK_EQ(taken[types[i] & 65535], 0);
        taken[types[i] & 65535] = 1;
    }
    CHECK(_Generic((__typeof__(UPC_INT))0, upc_type_t: 1, default: 0));
    return check_done();
}
