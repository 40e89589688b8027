// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6.1p2
// Whatever can be assigned to an int may be a barrier's value; it is converted to int.
#include "../../check.h"

enum color { RED = 3 };
shared int value = 12;

int main(void)
{
    upc_barrier 2.75;
    upc_barrier 'c';
    upc_barrier RED;
    upc_barrier(long long)7;
    upc_barrier 1u;
    upc_barrier value;
    upc_barrier(_Bool) 5;
    upc_notify 2.9f;
    upc_wait 2;
    return check_done();
}
