/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Red-black successive over-relaxation: the red elements of a grid, then the black ones, become the
 * average of their four neighbours, which all have the other colour. Each colour is an array of its
 * own, so that a row of it is one piece of memory. The grid's edge is 1 and stays so.
 */
#ifndef OPENMP_SOR_H
#define OPENMP_SOR_H

#include "program.h"

enum { RED, BLACK };

/* Whether a row's elements of a colour are the columns 1, 3, 5…, not 0, 2, 4… */
static inline int sor_is_odd(int colour, long row) { return (int)(row & 1) ^ colour; }

static inline void sor_fill(float *row, int is_edge, int is_odd, long half) {
    for (long i = 0; i < half; i++) {
        row[i] = is_edge ? 1 : 0;
    }
    row[is_odd ? half - 1 : 0] = 1;
}

/* One row of a colour, from the other colour's row, that above and that below. */
static inline void sor_relax(float *restrict row, const float *above, const float *same,
                             const float *below, int is_odd, long half) {
    for (long i = 1 - is_odd; i < half - is_odd; i++) {
        row[i] = (above[i] + below[i] + same[i - 1 + is_odd] + same[i + is_odd]) * 0.25f;
    }
}

static inline double sor_sum(const float *row, long half) {
    double sum = 0;
    for (long i = 0; i < half; i++) {
        sum += row[i];
    }
    return sum;
}

/* The sum by another way: one array, element by element. */
static inline double sor_sum_by_elements(long rows, long columns, long iterations) {
    float *grid = calloc((size_t)(rows * columns), sizeof *grid);
    double sum = 0;
    for (long step = -1; step < 2 * iterations; step++) {
        for (long i = 0; i < rows; i++) {
            for (long j = 0; j < columns; j++) {
                float *at = &grid[i * columns + j];
                int is_edge = i == 0 || i == rows - 1 || j == 0 || j == columns - 1;
                if (step < 0) {
                    *at = is_edge ? 1 : 0;
                } else if (!is_edge && ((i + j + step) & 1) == 0) {
                    *at = (at[-columns] + at[columns] + at[-1] + at[1]) * 0.25f;
                }
            }
        }
    }
    for (long i = 0; i < rows * columns; i++) {
        sum += grid[i];
    }
    free(grid);
    return sum;
}

#endif
