/* SPDX-License-Identifier: BSD-3-Clause */
/* A distributed matrix, as the header of a UPC library would declare it. */
#ifndef GRID_H
#define GRID_H

#include <stddef.h>
#include <upc.h>

#define GRID_SIDE 16

typedef struct grid grid_t;
typedef double cell_t;
typedef cell_t (*cell_function)(int row, int column, void *context);

struct grid {
    shared [GRID_SIDE] cell_t *cells; /* row r with thread r mod THREADS */
    int rows, columns;
    struct {
        long gets, puts;
    } statistics;
};

extern shared int grids_alive;
extern shared [2] const char grid_version[];
extern int grid_verbose; /* one for each thread */

grid_t *grid_create(int rows, int columns); /* collective */
void grid_destroy(grid_t *grid);
void grid_fill(grid_t *grid, cell_function function, void *context);
shared [GRID_SIDE] cell_t *grid_row(grid_t *grid, int row);

static inline cell_t grid_get(grid_t *grid, int row, int column)
{
    grid->statistics.gets++;
    return grid->cells[row * GRID_SIDE + column];
}

static inline void grid_put(grid_t *grid, int row, int column, cell_t value)
{
    grid->statistics.puts++;
    grid->cells[row * GRID_SIDE + column] = value;
}

/* from plain C: summary.c */
double summary_sum(const double *values, size_t n);
int summary_calls(void);

#endif
