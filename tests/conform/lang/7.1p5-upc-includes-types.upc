// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.1p5
// <upc.h> declares what <upc_types.h> does.
#include "../../check.h"

int main(void)
{
    upc_op_t op = UPC_ADD | UPC_MULT;
    upc_type_t type = UPC_INT;
    CHECK(op > 0 && type > 0);
    return check_done();
}
