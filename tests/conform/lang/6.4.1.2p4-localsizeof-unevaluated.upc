// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.1.2p4
// The operand of upc_localsizeof is not evaluated.
#include "../../check.h"

shared int a[4 * THREADS];
shared int *null;

int main(void)
{
    int i = 0;
    CHECK(upc_localsizeof(a[i++]) >= sizeof(int));
    CHECK(upc_localsizeof(*(i++, null)) >= sizeof(int));
    CHECK_EQ(i, 0);
    return check_done();
}
