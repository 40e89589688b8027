// SPDX-License-Identifier: BSD-3-Clause
//@ spec: 6.5.2.1p5
//@ mappings: 1x1 2x1 1x3 2x2 5x1 1x7
// Element i of an array has affinity to thread floor(i / block) mod THREADS, row-major.
#include "../../check.h"

shared [3] int a[4][5 * THREADS];
shared int b[2 * THREADS][3];
shared [4] struct { char c[6]; } c[3][2][THREADS];

#define ROUND_ROBIN(first, count, block)                                                      \
    for (int i = 0; i < (count); i++)                                                         \
        CHECK_EQ(upc_threadof(first + i), i / (block) % THREADS)

int main(void)
{
    ROUND_ROBIN(&a[0][0], 20 * THREADS, 3);
    ROUND_ROBIN(&b[0][0], 6 * THREADS, 1);
    ROUND_ROBIN(&c[0][0][0], 6 * THREADS, 4);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5 * THREADS; j++)
            CHECK_EQ(upc_threadof(&a[i][j]), (i * 5 * THREADS + j) / 3 % THREADS);
    for (int i = 0; i < 2 * THREADS; i++)
        for (int j = 0; j < 3; j++)
            CHECK_EQ(upc_threadof(&b[i][j]), (3 * i + j) % THREADS);
    return check_done();
}
