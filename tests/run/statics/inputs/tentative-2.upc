// SPDX-License-Identifier: BSD-3-Clause
#include "tentative.h"
#include <upc.h>

int initialised = 42;
int completed[3];

int *count_address_2(void)
{
    return &count;
}

int table_sum_2(void)
{
    int sum = 0;
    for (int i = 0; i < 20; i++)
        sum += table[i];
    return sum;
}
