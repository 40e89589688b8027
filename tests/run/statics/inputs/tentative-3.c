// SPDX-License-Identifier: BSD-3-Clause
#include "tentative.h"

int completed[3];

int *count_address_3(void)
{
    return &count;
}
