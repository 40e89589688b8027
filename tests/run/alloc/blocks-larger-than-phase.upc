// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 2x1 1x3
// An allocation seen as an array of blocks larger than 2^18 elements.
#include "../../check.h"

enum { B = 600000 };

int main(void)
{
    shared [B] short *p = upc_all_alloc(2 * THREADS, B * sizeof(short));
    for (size_t i = (size_t)B * MYTHREAD; i < (size_t)B * (MYTHREAD + 1); i += 99991)
        p[i] = (short)i;
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        for (size_t i = (size_t)B * t; i < (size_t)B * (t + 1); i += 99991) {
            CHECK_EQ(p[i], (short)i);
            CHECK_EQ(upc_threadof(p + i), t);
        }
    shared [B] short *end = p + (size_t)2 * B * THREADS;
    CHECK_EQ(end - p, (long)2 * B * THREADS);
    upc_all_free(p);
    return check_done();
}
