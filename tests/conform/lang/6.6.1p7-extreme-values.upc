// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.1p7
// Every int is a possible value, zero and the extremes too.
#include "../../check.h"
#include <limits.h>

int main(void)
{
    static const int values[] = {0, -1, 1, INT_MIN, INT_MAX, 0x40000000, -0x40000000};
    for (int i = 0; i < (int)(sizeof values / sizeof values[0]); i++) {
        upc_barrier values[i];
        upc_notify values[i];
        upc_wait values[i];
    }
    return check_done();
}
