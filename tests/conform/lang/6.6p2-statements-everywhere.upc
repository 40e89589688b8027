// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.6p2
// A synchronisation statement stands wherever a statement does.
#include "../../check.h"

static void sync(int kind)
{
    switch (kind) {
    case 0:
        upc_barrier;
        break;
    case 1:
        upc_notify;
        upc_wait;
        break;
    default:
        upc_fence;
    }
}

int main(void)
{
    if (THREADS > 0)
        upc_barrier;
    else
        upc_fence;
    for (int i = 0; i < 3; i++)
        upc_barrier i;
    do
        upc_fence;
    while (0);
label:
    upc_notify;
    upc_wait;
    for (int i = 0; i < 3; i++)
        sync(i);
    if (0)
        goto label;
    return check_done();
}
