/* SPDX-License-Identifier: BSD-3-Clause */
/* CG's matrix: a sum of outer products of sparse random vectors, with a given condition. */
#ifndef NPB_CG_MATRIX_H
#define NPB_CG_MATRIX_H

#include "npb.h"
#include <string.h>

/* Rows; elements of a random vector; solutions; what the diagonal is shifted by. */
#if CLASS == 'S'
#define CG_N 1400
#define CG_NONZEROS 7
#define CG_OUTER 15
#define CG_SHIFT 10
#define CG_ZETA 8.5971775078648
#elif CLASS == 'W'
#define CG_N 7000
#define CG_NONZEROS 8
#define CG_OUTER 15
#define CG_SHIFT 12
#define CG_ZETA 10.362595087124
#elif CLASS == 'A'
#define CG_N 14000
#define CG_NONZEROS 11
#define CG_OUTER 15
#define CG_SHIFT 20
#define CG_ZETA 17.130235054029
#else
#define CG_N 75000
#define CG_NONZEROS 13
#define CG_OUTER 75
#define CG_SHIFT 60
#define CG_ZETA 22.712745482631
#endif

#define CG_CONDITION 0.1 /* its reciprocal */

struct cg_entry {
    int column;
    double value;
};

struct cg_sparse {
    int n;
    struct cg_entry entries[CG_NONZEROS + 1];
};

/* Some rows: first, first + step, ... Row i has the elements start[i] to start[i + 1]. */
struct cg_matrix {
    long rows, first, step;
    long *start;
    int *columns;
    double *values;
};

static inline void *cg_allocate(size_t n, size_t bytes) {
    void *memory = calloc(n + 1, bytes);
    if (!memory) {
        fprintf(stderr, "npb: no memory for %zu elements of the matrix\n", n);
        exit(1);
    }
    return memory;
}

static inline int cg_has(const struct cg_sparse *vector, int column) {
    for (int i = 0; i < vector->n; i++) {
        if (vector->entries[i].column == column) {
            return i + 1;
        }
    }
    return 0;
}

/* The next random vector, with 0.5 at its own place. */
static inline struct cg_sparse cg_random_vector(int own, uint64_t *seed) {
    struct cg_sparse vector = {.n = 0};
    int bits = 0;
    while (1 << bits < CG_N) {
        bits++;
    }
    while (vector.n < CG_NONZEROS) {
        double value = npb_random(seed, NPB_A);
        npb_random(seed, NPB_A);
        int column = (int)(*seed >> (46 - bits));
        if (column < CG_N && !cg_has(&vector, column)) {
            vector.entries[vector.n++] = (struct cg_entry){column, value};
        }
    }
    int at = cg_has(&vector, own);
    vector.entries[at ? at - 1 : vector.n++] = (struct cg_entry){own, 0.5};
    return vector;
}

/* The place of a row among those of the matrix, or -1. */
static inline long cg_place(const struct cg_matrix *matrix, long row) {
    long place = (row - matrix->first) / matrix->step;
    int is_here = row >= matrix->first && place < matrix->rows &&
                  row == matrix->first + place * matrix->step;
    return is_here ? place : -1;
}

static inline int cg_by_column(const void *a, const void *b) {
    const struct cg_entry *x = a, *y = b;
    return (x->column > y->column) - (x->column < y->column);
}

/* Adds up what a row has of the same column, and appends it to the matrix. */
static inline void cg_append_row(struct cg_matrix *matrix, long row, struct cg_entry *entries,
                                 long n) {
    qsort(entries, (size_t)n, sizeof *entries, cg_by_column);
    long end = matrix->start[row];
    for (long i = 0; i < n; i++) {
        if (i == 0 || entries[i].column != entries[i - 1].column) {
            matrix->columns[end++] = entries[i].column;
        }
        matrix->values[end - 1] += entries[i].value;
    }
    matrix->start[row + 1] = end;
}

/* The outer products' elements in the matrix's rows, row after row; ends[i] is where row i's end. */
static inline struct cg_entry *cg_products(const struct cg_matrix *matrix,
                                           const struct cg_sparse *vectors, long *ends) {
    for (long i = 0; i < CG_N; i++) {
        for (int j = 0; j < vectors[i].n; j++) {
            long row = cg_place(matrix, vectors[i].entries[j].column);
            if (row >= 0) {
                ends[row + 1] += vectors[i].n;
            }
        }
    }
    for (long row = 0; row < matrix->rows; row++) {
        ends[row + 1] += ends[row];
    }
    struct cg_entry *entries = cg_allocate((size_t)ends[matrix->rows], sizeof *entries);
    double size = 1, ratio = pow(CG_CONDITION, 1.0 / CG_N);
    for (long i = 0; i < CG_N; i++, size *= ratio) {
        const struct cg_sparse *vector = &vectors[i];
        for (int j = 0; j < vector->n; j++) {
            long row = cg_place(matrix, vector->entries[j].column);
            for (int k = 0; row >= 0 && k < vector->n; k++) {
                int column = vector->entries[k].column;
                double value = vector->entries[k].value * (size * vector->entries[j].value);
                int is_own = vector->entries[j].column == i && column == i;
                value += is_own ? CG_CONDITION - CG_SHIFT : 0;
                entries[ends[row]++] = (struct cg_entry){column, value};
            }
        }
    }
    return entries;
}

/* Those of the rows first, first + step, ... that the whole matrix has, at most `most`. */
static inline void cg_make_matrix(struct cg_matrix *matrix, long first, long step, long most) {
    long rows = first < CG_N ? (CG_N - first + step - 1) / step : 0;
    *matrix = (struct cg_matrix){.rows = rows < most ? rows : most, .first = first, .step = step};
    struct cg_sparse *vectors = cg_allocate(CG_N, sizeof *vectors);
    uint64_t seed = NPB_SEED * NPB_A & NPB_MASK; /* its first number is not used */
    for (int i = 0; i < CG_N; i++) {
        vectors[i] = cg_random_vector(i, &seed);
    }
    long *ends = cg_allocate((size_t)matrix->rows + 1, sizeof *ends);
    struct cg_entry *entries = cg_products(matrix, vectors, ends);
    size_t n = matrix->rows ? (size_t)ends[matrix->rows - 1] : 0;
    matrix->start = cg_allocate((size_t)matrix->rows + 1, sizeof *matrix->start);
    matrix->columns = cg_allocate(n, sizeof *matrix->columns);
    matrix->values = cg_allocate(n, sizeof *matrix->values);
    for (long row = 0, begin = 0; row < matrix->rows; begin = ends[row++]) {
        cg_append_row(matrix, row, &entries[begin], ends[row] - begin);
    }
    free(vectors);
    free(entries);
    free(ends);
}

/* The rows' products with a whole vector. */
NPB_KERNEL static void cg_multiply_rows(const struct cg_matrix *matrix, const double *vector,
                                        double *restrict result) {
    const int *columns = matrix->columns;
    const double *values = matrix->values;
    for (long row = 0; row < matrix->rows; row++) {
        double sum = 0;
        for (long i = matrix->start[row]; i < matrix->start[row + 1]; i++) {
            sum += values[i] * vector[columns[i]];
        }
        result[row] = sum;
    }
}

#endif
