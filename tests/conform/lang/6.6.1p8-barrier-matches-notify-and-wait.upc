// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.1p8
// A thread's upc_barrier pairs with another's upc_notify and upc_wait.
#include "../../check.h"

int main(void)
{
    for (int i = 0; i < 100; i++)
        if ((MYTHREAD + i) % 2) {
            upc_barrier i;
        } else {
            upc_notify i;
            upc_wait i;
        }
    return check_done();
}
