// SPDX-License-Identifier: BSD-3-Clause
#include <stdlib.h>
#include "grid.h"

shared int grids_alive;
shared [2] const char grid_version[2 * THREADS] = "1";
int grid_verbose = 7;

static int created_here; /* one for each thread */

grid_t *grid_create(int rows, int columns)
{
    grid_t *g = calloc(1, sizeof *g);
    g->rows = rows;
    g->columns = columns;
    g->cells = upc_all_alloc(rows, GRID_SIDE * sizeof(cell_t));
    created_here++;
    if (MYTHREAD == 0)
        grids_alive++;
    upc_barrier 4711;
    return g;
}

void grid_destroy(grid_t *g)
{
    upc_barrier;
    if (MYTHREAD == 0) {
        upc_free(g->cells);
        --grids_alive;
    }
    free(g);
    upc_barrier;
}

/* A upc_forall inside a function: if the caller is in a upc_forall, every iteration is ours. */
void grid_fill(grid_t *g, cell_function function, void *context)
{
    upc_forall (int r = 0; r < g->rows; r++; grid_row(g, r))
        for (int c = 0; c < g->columns; c++)
            grid_put(g, r, c, function(r, c, context));
}

shared [GRID_SIDE] cell_t *grid_row(grid_t *g, int row)
{
    return &g->cells[row * GRID_SIDE];
}
