// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.1p4
// <upc_relaxed.h> includes <upc.h>; both it and <upc_types.h> may be included repeatedly.
#include <upc_relaxed.h>
#include <upc_relaxed.h>
#include <upc.h>
#include <upc_types.h>
#include <upc_types.h>
#include "../../check.h"

shared int x;

int main(void)
{
    upc_flag_t flags = UPC_IN_ALLSYNC;
    CHECK_EQ(upc_threadof(&x), 0);
    CHECK(flags > 0);
    return check_done();
}
