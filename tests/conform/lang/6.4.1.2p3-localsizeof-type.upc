// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.1.2p3 6.4.1.3p4 6.4.1.4p3
// The results of the size operators have type size_t.
#include "../../check.h"

shared [2] int a[2 * THREADS];
#define IS_SIZE_T(e) _Generic((e), size_t: 1, default: 0)

int main(void)
{
    CHECK(IS_SIZE_T(upc_localsizeof(a)));
    CHECK(IS_SIZE_T(upc_blocksizeof(a)));
    CHECK(IS_SIZE_T(upc_elemsizeof(a)));
    CHECK(upc_localsizeof(a) - 1000000 > 0);
    return check_done();
}
