// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 5.1.2.2p2
//@ mappings: 2x1 1x2 3x1
// Shared data allocated by a thread is not freed when that thread ends.
#include "../../check.h"
#include <unistd.h>

typedef shared [] int *ints;
shared ints published;

int main(void)
{
    if (MYTHREAD == 0) {
        ints mine = upc_alloc(1000 * sizeof(int));
        for (int i = 0; i < 1000; i++)
            mine[i] = i * i;
        published = mine;
    }
    upc_barrier;
    if (MYTHREAD == 0)
        return 0;
    usleep(50000);
    for (int i = 0; i < 1000; i++)
        CHECK_EQ(published[i], i * i);
    if (MYTHREAD == THREADS - 1 && check_failures == 0)
        puts("ok");
    return check_failures != 0;
}
