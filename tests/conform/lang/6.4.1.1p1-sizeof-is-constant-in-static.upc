// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.1.1p1
//@ static-threads: 3
//@ mappings: 3x1 1x3
// In the static environment sizeof of a shared array is an integer constant.
#include "../../check.h"

shared [2] int a[4 * THREADS];
enum { BYTES = sizeof(a) };
static char as_dimension[sizeof a];

int main(void)
{
    CHECK_EQ(BYTES, 12 * sizeof(int));
    CHECK_EQ(sizeof as_dimension, BYTES);
    switch (BYTES) {
    case sizeof(a):
        break;
    default:
        CHECK(!"case sizeof(a)");
    }
    return check_done();
}
