// SPDX-License-Identifier: BSD-3-Clause
// The other half of order-of-includes.upc.
#include "behind-guard.h"

int defined_there = 5;

int sum_of_both(void)
{
    return defined_here + defined_there;
}
