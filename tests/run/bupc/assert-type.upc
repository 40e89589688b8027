// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1
// bupc_assert_type compares types of UPC, of which those of C may be the same.
#include "../../check.h"
#include <upc.h>

shared [3] int *p;

int main(void)
{
    int x = 0;
    __typeof__(MYTHREAD) number = 1;
    number += (__typeof__((MYTHREAD)))2;
    CHECK_EQ(number, 3);
    CHECK(bupc_assert_type(x, int));
    CHECK(bupc_assert_type(MYTHREAD, int));
    CHECK(bupc_assert_type(size_t, upc_localsizeof(*p)));
    CHECK(bupc_assert_type(p, shared [3] int *));
    CHECK(!bupc_assert_type(p, shared [4] int *));
    CHECK(!bupc_assert_type(p, shared int *));
    CHECK(!bupc_assert_type(p, int *));
    CHECK(!bupc_assert_type(x, const int));
    CHECK(!bupc_assert_type(x, long));
    CHECK(bupc_assert_type(*p, shared [3] int));
    return check_done();
}
