// SPDX-License-Identifier: BSD-3-Clause
// UPC in a file named .c.
#include <upc.h>

shared int things[THREADS];

int count_things(void)
{
    int sum = 0;
    for (int i = 0; i < THREADS; i++)
        sum += things[i];
    return sum;
}
