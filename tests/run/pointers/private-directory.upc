// SPDX-License-Identifier: BSD-3-Clause
// The directory idiom: every thread's block through private and shared tables of pointers.
#include "../../check.h"

typedef shared [] int *block;
shared block directory[THREADS];

int main(void)
{
    enum { N = 100 };
    directory[MYTHREAD] = upc_alloc(N * sizeof(int));
    block mine = directory[MYTHREAD];
    int *fast = (int *)mine;
    for (int i = 0; i < N; i++)
        fast[i] = N * MYTHREAD + i;
    upc_barrier;
    block *table = malloc(THREADS * sizeof *table);
    for (int t = 0; t < THREADS; t++)
        table[t] = directory[t];
    for (int g = 0; g < N * THREADS; g++) {
        CHECK_EQ(table[g / N][g % N], g);
        CHECK_EQ(directory[g / N][g % N], g);
        CHECK_EQ(*(*(table + g / N) + g % N), g);
    }
    upc_barrier;
    block *const last = table + THREADS - 1;
    if (MYTHREAD == 0)
        (*last)[0]++, ++last[0][1];
    upc_barrier;
    CHECK_EQ(table[THREADS - 1][0] + table[THREADS - 1][1], 2 * N * (THREADS - 1) + 3);
    free(table);
    upc_barrier;
    upc_free(mine);
    return check_done();
}
