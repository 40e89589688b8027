// SPDX-License-Identifier: BSD-3-Clause
// Dimensions as programs write them: constants and THREADS in parentheses, macros, enumerators.
#include "../../check.h"

#define ROWS 6
#define PER_THREAD ((ROWS + 1) / 2)
#define TOTAL (PER_THREAD * THREADS)
enum { COLS = 4 };

shared int a[(ROWS) * (THREADS)];
shared int b[TOTAL];
shared [COLS] int c[THREADS][COLS];
shared [ROWS * COLS] double d[THREADS * ROWS][COLS];
shared [PER_THREAD] char e[THREADS * (PER_THREAD)];
shared [*] int f[THREADS * ROWS];
shared int g[sizeof(int) * THREADS];

int main(void)
{
    CHECK_EQ(sizeof a / sizeof *a, ROWS * THREADS);
    CHECK_EQ(sizeof b / sizeof *b, 3 * THREADS);
    CHECK_EQ(sizeof c / sizeof **c, COLS * THREADS);
    CHECK_EQ(sizeof d / sizeof **d, ROWS * COLS * THREADS);
    CHECK_EQ(sizeof e, 3 * THREADS);
    CHECK_EQ(sizeof f / sizeof *f, ROWS * THREADS);
    CHECK_EQ(sizeof g / sizeof *g, 4 * THREADS);
    CHECK_EQ(upc_threadof(&c[THREADS - 1][3]), THREADS - 1);
    CHECK_EQ(upc_threadof(&d[ROWS * THREADS - 1][3]), THREADS - 1);
    return check_done();
}
