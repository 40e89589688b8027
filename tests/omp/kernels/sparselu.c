/* SPDX-License-Identifier: BSD-3-Clause */
//@ flags: -O2 -lm
/* LU of a sparse matrix of blocks, which are allocated as they fill in: tasks made by a loop's threads,
 * by one thread with waits between phases, and by one thread with dependences. */
#include "../inputs/check.h"

#include <math.h>

enum { BLOCKS = 8, SIZE = 10 };

typedef double block[SIZE][SIZE];
static block *matrix[BLOCKS][BLOCKS];

static block *allocate(void) { return calloc(1, sizeof(block)); }

static void fill(void) {
    for (int i = 0; i < BLOCKS; i++) {
        for (int j = 0; j < BLOCKS; j++) {
            free(matrix[i][j]);
            matrix[i][j] = i == j || (i * 3 + j * 5) % 4 == 0 ? allocate() : NULL;
            for (int a = 0; matrix[i][j] && a < SIZE * SIZE; a++) {
                int is_diagonal = i == j && a / SIZE == a % SIZE;
                (*matrix[i][j])[a / SIZE][a % SIZE] =
                    is_diagonal ? 100 : (double)((i * 7 + j * 11 + a * 13) % 17) / 17;
            }
        }
    }
}

static void factor(block *d) {
    for (int k = 0; k < SIZE; k++) {
        for (int i = k + 1; i < SIZE; i++) {
            (*d)[i][k] /= (*d)[k][k];
            for (int j = k + 1; j < SIZE; j++) {
                (*d)[i][j] -= (*d)[i][k] * (*d)[k][j];
            }
        }
    }
}

static void right(block *d, block *b) {
    for (int k = 0; k < SIZE; k++) {
        for (int i = k + 1; i < SIZE; i++) {
            for (int j = 0; j < SIZE; j++) {
                (*b)[i][j] -= (*d)[i][k] * (*b)[k][j];
            }
        }
    }
}

static void below(block *d, block *b) {
    for (int i = 0; i < SIZE; i++) {
        for (int k = 0; k < SIZE; k++) {
            (*b)[i][k] /= (*d)[k][k];
            for (int j = k + 1; j < SIZE; j++) {
                (*b)[i][j] -= (*b)[i][k] * (*d)[k][j];
            }
        }
    }
}

static void update(block *left, block *above, block **inner) {
    if (!*inner) {
        *inner = allocate();
    }
    for (int i = 0; i < SIZE; i++) {
        for (int k = 0; k < SIZE; k++) {
            for (int j = 0; j < SIZE; j++) {
                (**inner)[i][j] -= (*left)[i][k] * (*above)[k][j];
            }
        }
    }
}

static double sum(void) {
    double sum = 0;
    for (int i = 0; i < BLOCKS; i++) {
        for (int j = 0; j < BLOCKS; j++) {
            for (int a = 0; matrix[i][j] && a < SIZE * SIZE; a++) {
                sum += (*matrix[i][j])[a / SIZE][a % SIZE] * (a % 7 + i + 2 * j);
            }
        }
    }
    return sum;
}

static double alone(void) {
    fill();
    for (int k = 0; k < BLOCKS; k++) {
        factor(matrix[k][k]);
        for (int i = k + 1; i < BLOCKS; i++) {
            if (matrix[k][i]) {
                right(matrix[k][k], matrix[k][i]);
            }
            if (matrix[i][k]) {
                below(matrix[k][k], matrix[i][k]);
            }
        }
        for (int i = k + 1; i < BLOCKS; i++) {
            for (int j = k + 1; j < BLOCKS; j++) {
                if (matrix[i][k] && matrix[k][j]) {
                    update(matrix[i][k], matrix[k][j], &matrix[i][j]);
                }
            }
        }
    }
    return sum();
}

/* Any thread of a loop makes tasks. */
static double by_loops(void) {
    fill();
#pragma omp parallel
    for (int k = 0; k < BLOCKS; k++) {
#pragma omp single
        factor(matrix[k][k]);
#pragma omp for schedule(dynamic) nowait
        for (int i = k + 1; i < BLOCKS; i++) {
            if (matrix[k][i]) {
#pragma omp task
                right(matrix[k][k], matrix[k][i]);
            }
        }
#pragma omp for schedule(dynamic)
        for (int i = k + 1; i < BLOCKS; i++) {
            if (matrix[i][k]) {
#pragma omp task
                below(matrix[k][k], matrix[i][k]);
            }
        }
#pragma omp for schedule(dynamic)
        for (int i = k + 1; i < BLOCKS; i++) {
            for (int j = k + 1; j < BLOCKS && matrix[i][k]; j++) {
                if (matrix[k][j]) {
#pragma omp task firstprivate(i, j, k)
                    update(matrix[i][k], matrix[k][j], &matrix[i][j]);
                }
            }
        }
    }
    return sum();
}

/* Who makes the tasks cannot know yet which blocks will be there: all of them are. */
static double by_dependences(void) {
    fill();
    for (int i = 0; i < BLOCKS * BLOCKS; i++) {
        block **at = &matrix[i / BLOCKS][i % BLOCKS];
        *at = *at ? *at : allocate();
    }
    block *(*m)[BLOCKS] = matrix;
#pragma omp parallel
#pragma omp single
    for (int k = 0; k < BLOCKS; k++) {
#pragma omp task depend(inout : m[k][k])
        factor(m[k][k]);
        for (int i = k + 1; i < BLOCKS; i++) {
#pragma omp task depend(in : m[k][k]) depend(inout : m[k][i])
            right(m[k][k], m[k][i]);
#pragma omp task depend(in : m[k][k]) depend(inout : m[i][k])
            below(m[k][k], m[i][k]);
        }
        for (int i = k + 1; i < BLOCKS; i++) {
            for (int j = k + 1; j < BLOCKS; j++) {
#pragma omp task depend(in : m[i][k], m[k][j]) depend(inout : m[i][j])
                update(m[i][k], m[k][j], &m[i][j]);
            }
        }
    }
    return sum();
}

int main(void) {
    double expected = alone();
    CHECK(fabs(by_loops() - expected) < 1e-9 * fabs(expected));
    CHECK(fabs(by_dependences() - expected) < 1e-9 * fabs(expected));
    return result();
}
