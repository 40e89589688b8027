// SPDX-License-Identifier: BSD-3-Clause
// The other half of shared-of-equal-names.upc.
#include "equal-names.h"
static shared int counter = 100;
static shared [2] int list[4 * THREADS];

int bump_there(void)
{
    list[1] = 9;
    return ++counter;
}

int header_there(void)
{
    return in_header;
}
