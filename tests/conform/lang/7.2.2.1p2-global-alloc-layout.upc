// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 7.2.2.1p2
//@ mappings: 1x1 3x1 1x3 2x2 1x7
// upc_global_alloc gives shared [nbytes] char[nblocks * nbytes].
#include "../../check.h"

shared [4] int *shared table;

int main(void)
{
    int n = 5 * THREADS + 2;
    if (MYTHREAD == THREADS - 1)
        table = upc_global_alloc(n, 4 * sizeof(int));
    upc_barrier;
    shared [4] int *p = table;
    CHECK_EQ(upc_threadof(p), 0);
    for (int i = MYTHREAD; i < 4 * n; i += THREADS)
        p[i] = i * 7;
    upc_barrier;
    for (int i = 0; i < 4 * n; i++) {
        CHECK_EQ(p[i], i * 7);
        CHECK_EQ(upc_threadof(&p[i]), i / 4 % THREADS);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        upc_free(p);
    return check_done();
}
