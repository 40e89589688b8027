// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x3 2:4x1
// bupc_local_to_shared makes a pointer-to-shared of a place in the thread's own memory.
#include "../../check.h"
#include <upc.h>

shared [4] int rows[4 * THREADS];

int main(void)
{
    int private = 0;
    int *own = (int *)&rows[4 * MYTHREAD];
    CHECK(bupc_local_to_shared(own, MYTHREAD, 0) == &rows[4 * MYTHREAD]);
    for (int t = 0; t < THREADS; t++)
        CHECK(bupc_local_to_shared(own + 2, t, 2) == &rows[4 * t + 2]);
    shared [4] int *third = bupc_local_to_shared(own + 3, THREADS - 1, 3);
    CHECK_EQ(upc_phaseof(third), 3);
    CHECK(third == &rows[4 * THREADS - 1]);
    CHECK(bupc_local_to_shared(&private, MYTHREAD, 0) == NULL);
    upc_poll();
    return check_done();
}
