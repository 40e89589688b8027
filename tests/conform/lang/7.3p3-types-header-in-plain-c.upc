// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.3p3
// <upc_types.h> is a translation unit of plain C.
//@ with: types.c
#include "../../check.h"

extern int plain_c_sum(void);

int main(void)
{
    CHECK_EQ(plain_c_sum(), UPC_ADD + UPC_PTS + UPC_OUT_NOSYNC);
    return check_done();
}
