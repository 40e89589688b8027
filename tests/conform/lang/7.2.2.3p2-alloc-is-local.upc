// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.2.3p2
// upc_alloc gives at least nbytes, all with affinity to the caller; others may use them.
#include "../../check.h"

typedef shared [] int *ints;
shared ints part[THREADS];

int main(void)
{
    part[MYTHREAD] = upc_alloc(1000 * sizeof(int));
    CHECK_EQ(upc_threadof(part[MYTHREAD]), MYTHREAD);
    CHECK_EQ(upc_threadof(part[MYTHREAD] + 999), MYTHREAD);
    int *local = (int *)part[MYTHREAD];
    memset(local, 0x11, 1000 * sizeof(int));
    upc_barrier;
    int next = (MYTHREAD + 1) % THREADS;
    for (int i = 0; i < 1000; i++)
        part[next][i] += i;
    upc_barrier;
    for (int i = 0; i < 1000; i++)
        CHECK_EQ(local[i], 0x11111111 + i);
    upc_free(part[MYTHREAD]);
    return check_done();
}
