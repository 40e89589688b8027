// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x3 2x2 1x7
// The model holds for allocated space as for arrays, from each element to each.
#include "../../check.h"

enum { BLOCK = 6 };

int main(void)
{
    int n = 4 * BLOCK * THREADS;
    shared [BLOCK] long *a = upc_all_alloc(4 * THREADS, BLOCK * sizeof(long));
    for (int i = MYTHREAD; i < n; i += THREADS)
        a[i] = i;
    upc_barrier;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            shared [BLOCK] long *p = a + i;
            CHECK_EQ(p[k - i], k);
            CHECK_EQ((p + (k - i)) - p, k - i);
            CHECK_EQ(upc_threadof(p + (k - i)), k / BLOCK % THREADS);
        }
    upc_all_free(a);
    return check_done();
}
