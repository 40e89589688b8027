// SPDX-License-Identifier: BSD-3-Clause
// Part of 7.3p3-types-header-in-plain-c.upc: plain C.
#include <upc_types.h>

#if UPC_ADD <= 0 || UPC_INT <= 0 || UPC_IN_NOSYNC <= 0
#error not usable in #if
#endif

int plain_c_sum(void)
{
    upc_op_t op = UPC_ADD;
    upc_type_t type = UPC_PTS;
    upc_flag_t flag = UPC_OUT_NOSYNC;
    return (int)op + (int)type + (int)flag;
}
