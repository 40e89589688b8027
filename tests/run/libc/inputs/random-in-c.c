// SPDX-License-Identifier: BSD-3-Clause
#include <stdlib.h>

int number_in_c(void);

int number_in_c(void)
{
    return rand();
}
