// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.4.1.1p1
// sizeof of an indefinitely blocked array is constant in either environment.
#include "../../check.h"

shared [] short a[12];
enum { BYTES = sizeof a };
_Static_assert(sizeof(a) == 12 * sizeof(short), "constant");

int main(void)
{
    CHECK_EQ(BYTES, 24);
    return check_done();
}
