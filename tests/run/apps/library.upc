// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x4 2x2
//@ with: grid.upc summary.c
/* A program of three files: a UPC library with its header, plain C, and this. */
#include <stdio.h>
#include "inputs/grid.h"

static double value(int row, int column, void *context)
{
    return row * 100 + column + *(double *)context;
}

static void expect(double got, double expected, const char *what)
{
    if (got != expected) {
        printf("thread %d: %s is %g, expected %g\n", MYTHREAD, what, got, expected);
        upc_global_exit(1);
    }
}

int main(void)
{
    double half = 0.5, sum = 0;
    int r;
    grid_t *a = grid_create(9, GRID_SIDE), *b = grid_create(4, 5);
    expect(grids_alive, 2, "grids alive");
    expect(grid_version[0], '1', "version");
    expect(grid_version[1], 0, "end of version");

    grid_verbose += MYTHREAD;
    upc_barrier;
    expect(grid_verbose, 7 + MYTHREAD, "private global of another file");

    grid_fill(a, value, &half);
    expect(a->statistics.puts, (9 - MYTHREAD + THREADS - 1) / THREADS * (MYTHREAD < 9) * GRID_SIDE,
           "puts of this thread");
    upc_barrier;
    for (r = 0; r < 9; r++)
        expect(grid_get(a, r, r), r * 101 + 0.5, "diagonal");

    upc_forall (r = 0; r < 9; ++r; grid_row(a, r))
        sum += summary_sum((double *)grid_row(a, r), GRID_SIDE);
    for (r = MYTHREAD; r < 9; r += THREADS)
        sum -= 16 * (r * 100 + 0.5) + 120;
    expect(sum, 0, "sums of rows");
    expect(summary_calls() > 0, MYTHREAD < 9, "calls of plain C");

    /* inside a upc_forall, that of grid_fill does not distribute again */
    upc_forall (r = 0; r < THREADS; r++; r)
        if (r == THREADS - 1)
            grid_fill(b, value, &half);
    expect(b->statistics.puts, MYTHREAD == THREADS - 1 ? 20 : 0, "nested puts");
    upc_barrier;
    expect(grid_get(b, 3, 4), 304.5, "cell of b");

    grid_destroy(b);
    grid_destroy(a);
    expect(grids_alive, 0, "grids alive at the end");
    upc_barrier;
    if (MYTHREAD == 0)
        printf("ok\n");
    return 0;
}
