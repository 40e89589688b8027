// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.1.3p2
// The result of upc_blocksizeof is an integer constant: a layout of another object, a label.
#include "../../check.h"

shared [5] int a[5 * THREADS];
shared [upc_blocksizeof(a) + 1] char b[6 * THREADS];
shared [*] int star[4 * THREADS];
enum { STAR = upc_blocksizeof(star) };

int main(void)
{
    CHECK_EQ(upc_blocksizeof(b), 6);
    CHECK_EQ(STAR, 4);
    switch (6) {
    case upc_blocksizeof(b):
        break;
    default:
        CHECK(!"case upc_blocksizeof(b)");
    }
    return check_done();
}
