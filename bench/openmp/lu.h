/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * LU factorisation without pivoting, by square blocks, each contiguous: what is done to one block.
 * The threads form a grid of rows and columns, over which the blocks are dealt like cards in both
 * directions, so that each step has work for all of them. The matrix's diagonal dominates.
 */
#ifndef OPENMP_LU_H
#define OPENMP_LU_H

#include "program.h"
#include <math.h>

/* The matrix: `blocks` x `blocks` blocks of `size` x `size` elements; and the grid of threads. */
struct lu {
    long size, blocks, rows, columns;
};

static inline struct lu lu_setup(long n, long size, long threads) {
    struct lu lu = {.size = size, .blocks = (n + size - 1) / size, .rows = 1};
    for (long rows = 1; rows * rows <= threads; rows++) {
        lu.rows = threads % rows == 0 ? rows : lu.rows;
    }
    lu.columns = threads / lu.rows;
    return lu;
}

static inline long lu_owner(const struct lu *lu, long i, long j) {
    return i % lu->rows * lu->columns + j % lu->columns;
}

/* The number of a block among its owner's. Between two rows there is room that nobody uses: what is
 * fetched beyond a row's end, where somebody reads it from left to right, costs nothing. */
static inline long lu_number(const struct lu *lu, long i, long j) {
    const long in_row = (lu->blocks + lu->columns - 1) / lu->columns + 8;
    return i / lu->rows * in_row + j / lu->columns;
}

/* The doubles that an owner's blocks take. */
static inline size_t lu_share(const struct lu *lu) {
    return (size_t)(lu_number(lu, lu->blocks - 1, lu->blocks - 1) + 1) *
           (size_t)(lu->size * lu->size);
}

static inline double lu_element(const struct lu *lu, long row, long column) {
    long n = lu->size * lu->blocks;
    return random_at((uint64_t)(row * n + column)) + (row == column ? (double)n : 0);
}

static inline void lu_fill(const struct lu *lu, double *block, long i, long j) {
    for (long row = 0; row < lu->size; row++) {
        for (long column = 0; column < lu->size; column++) {
            block[row * lu->size + column] =
                lu_element(lu, i * lu->size + row, j * lu->size + column);
        }
    }
}

/* target -= factor * source, for rows of n elements. */
static inline void lu_subtract(double *restrict target, const double *restrict source,
                               double factor, long n) {
    for (long i = 0; i < n; i++) {
        target[i] -= factor * source[i];
    }
}

/* A block on the diagonal becomes its own L and U. */
static inline void lu_factor(double *block, long n) {
    for (long k = 0; k < n; k++) {
        for (long i = k + 1; i < n; i++) {
            double *row = block + i * n;
            row[k] /= block[k * n + k];
            lu_subtract(row + k + 1, block + k * n + k + 1, row[k], n - k - 1);
        }
    }
}

/* A block below the diagonal: of L, with the diagonal block's U. */
static inline void lu_below(double *block, const double *diagonal, long n) {
    for (long i = 0; i < n; i++) {
        double *row = block + i * n;
        for (long k = 0; k < n; k++) {
            row[k] /= diagonal[k * n + k];
            lu_subtract(row + k + 1, diagonal + k * n + k + 1, row[k], n - k - 1);
        }
    }
}

/* A block right of the diagonal: of U, with the diagonal block's L. */
static inline void lu_right(double *block, const double *diagonal, long n) {
    for (long i = 1; i < n; i++) {
        for (long k = 0; k < i; k++) {
            lu_subtract(block + i * n, block + k * n, diagonal[i * n + k], n);
        }
    }
}

/* A block of the rest loses the product of L's block in its row and U's block in its column. */
static inline void lu_inner(double *block, const double *left, const double *above, long n) {
    for (long i = 0; i < n; i++) {
        for (long k = 0; k < n; k++) {
            lu_subtract(block + i * n, above + k * n, left[i * n + k], n);
        }
    }
}

static inline double lu_value(const struct lu *lu, const double *block, long i, long j) {
    double sum = 0;
    for (long k = 0; k < lu->size * lu->size; k++) {
        sum += block[k] * (double)(k % 7 + 1);
    }
    return sum * (double)((i * 3 + j) % 5 + 1);
}

#endif
