// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x2
// Allocations of a gigabyte and many megabytes per thread, touched here and there.
#include "../../check.h"

int main(void)
{
    size_t n = (size_t)1 << 30;
    shared [] char *p = upc_alloc(n);
    CHECK(p != NULL);
    for (size_t i = 0; i < n; i += n / 64)
        p[i] = (char)(i >> 24);
    p[n - 1] = 'e';
    shared [65536] double *q = upc_all_alloc(100 * THREADS, 65536 * sizeof(double));
    CHECK(q != NULL);
    q[(size_t)65536 * (99 * THREADS + MYTHREAD)] = MYTHREAD;
    upc_barrier;
    for (size_t i = 0; i < n; i += n / 64)
        CHECK_EQ(p[i], (char)(i >> 24));
    for (int t = 0; t < THREADS; t++)
        CHECK(q[(size_t)65536 * (99 * THREADS + t)] == t);
    upc_all_free(q);
    upc_free(p);
    return check_done();
}
