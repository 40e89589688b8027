/* SPDX-License-Identifier: BSD-3-Clause */
/* The C side of local.upc. */
#include <stdint.h>

enum { TILE = 32 };

double local_gather_ref(const double *p, const int *index, long n);
double local_walk_ref(const double *p, long n);
void local_updates_ref(uint64_t *table, uint64_t mask, uint64_t begin, uint64_t n);
void local_transpose_ref(double *to, const double *from, long side, long me, long threads);
void local_stencil_ref(double *to, const double *from, long rows, long columns);
void local_ring_ref(double *to, const double *from, long rows, long columns);
void local_window_ref(double *to, const double *from, double weight[3][3], long rows, long columns);
void local_product_ref(double *to, const double *from, const double *factor, long rows,
                       long columns);
long local_search_ref(const int *line, long n, int key);

double local_gather_ref(const double *p, const int *index, long n) {
    double sum = 0;
    for (long i = 0; i < n; i++) {
        sum += p[index[i]];
    }
    return sum;
}

double local_walk_ref(const double *p, long n) {
    double sum = 0;
    for (long i = 0; i < n; i++) {
        sum += *p++;
    }
    return sum;
}

void local_updates_ref(uint64_t *table, uint64_t mask, uint64_t begin, uint64_t n) {
    uint64_t random = begin;
    for (uint64_t i = 0; i < n; i++) {
        random = random << 1 ^ ((int64_t)random < 0 ? 7u : 0);
        table[random & mask] ^= random;
    }
}

void local_transpose_ref(double *to, const double *from, long side, long me, long threads) {
    for (long row = me * TILE; row < side; row += threads * TILE) {
        for (long column = 0; column < side; column += TILE) {
            for (long i = row; i < row + TILE; i++) {
                for (long j = column; j < column + TILE; j++) {
                    to[j * side + i] = from[i * side + j];
                }
            }
        }
    }
}

void local_stencil_ref(double *to, const double *from, long rows, long columns) {
    for (long i = 1; i < rows - 1; i++) {
        for (long j = 1; j < columns - 1; j++) {
            to[i * columns + j] = 0.25 * (from[(i - 1) * columns + j] + from[(i + 1) * columns + j] +
                                          from[i * columns + j - 1] + from[i * columns + j + 1]);
        }
    }
}

void local_ring_ref(double *to, const double *from, long rows, long columns) {
    for (long i = 1; i < rows - 1; i++) {
        const double *row = from + i * columns, *above = row - columns, *below = row + columns;
        for (long j = 0; j < columns; j++) {
            long left = (j + columns - 1) % columns, right = (j + 1) % columns;
            to[i * columns + j] = above[left] + above[j] + above[right] + row[left] + row[right] +
                                  below[left] + below[j] + below[right];
        }
    }
}

void local_window_ref(double *to, const double *from, double weight[3][3], long rows, long columns) {
    for (long i = 1; i < rows - 1; i++) {
        for (long j = 1; j < columns - 1; j++) {
            double sum = 0;
            for (long a = -1; a <= 1; a++) {
                for (long b = -1; b <= 1; b++) {
                    sum += weight[a + 1][b + 1] * from[(i + a) * columns + j + b];
                }
            }
            to[i * columns + j] = sum;
        }
    }
}

void local_product_ref(double *to, const double *from, const double *factor, long rows,
                       long columns) {
    for (long i = 0; i < rows; i++) {
        for (long j = 0; j < columns; j++) {
            double sum = 0;
            for (long k = 0; k < rows; k++) {
                sum += from[i * columns + k] * factor[k * columns + j];
            }
            to[i * columns + j] = sum;
        }
    }
}

long local_search_ref(const int *line, long n, int key) {
    long i = 0;
    while (i < n && line[i] != key) {
        i++;
    }
    return i;
}
