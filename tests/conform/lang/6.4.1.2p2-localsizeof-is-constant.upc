// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.1.2p2
// upc_localsizeof is an integer constant, in the dynamic environment too.
#include "../../check.h"

shared [4] int a[6 * THREADS];
enum { LOCAL = upc_localsizeof(a) };
static char space[upc_localsizeof(a)];
_Static_assert(upc_localsizeof(a) >= 6 * sizeof(int), "bound");

int main(void)
{
    CHECK_EQ(LOCAL, upc_localsizeof(a));
    CHECK_EQ(sizeof space, LOCAL);
    return check_done();
}
