/* SPDX-License-Identifier: BSD-3-Clause */
/* The C of transpose.upc: the transpose of a tile, where it stands; and the reference, a thread's
 * share of the transpose of a whole matrix. */
#include <stddef.h>

enum { TILE = 16, SQUARE = 8 };

void transpose_in_place(double *tile, size_t n);
void transpose_ref(double *restrict dst, const double *restrict src, size_t n, size_t me,
                   size_t threads);

/* Squares of a cache line each way change places with those across the diagonal. */
static void swap_squares(double *restrict low, double *restrict high, size_t n) {
    double square[SQUARE][SQUARE];
    for (size_t i = 0; i < SQUARE; i++) {
        for (size_t k = 0; k < SQUARE; k++) {
            square[k][i] = low[i * n + k];
        }
    }
    for (size_t i = 0; i < SQUARE; i++) {
        for (size_t k = 0; k < SQUARE; k++) {
            low[i * n + k] = high[k * n + i];
        }
    }
    for (size_t i = 0; i < SQUARE; i++) {
        for (size_t k = 0; k < SQUARE; k++) {
            high[i * n + k] = square[i][k];
        }
    }
}

void transpose_in_place(double *tile, size_t n) {
    for (size_t r = 0; r < n; r += SQUARE) {
        for (size_t c = 0; c < r; c += SQUARE) {
            swap_squares(tile + r * n + c, tile + c * n + r, n);
        }
        for (size_t i = r; i < r + SQUARE; i++) {
            for (size_t k = r; k < i; k++) {
                double x = tile[i * n + k];
                tile[i * n + k] = tile[k * n + i];
                tile[k * n + i] = x;
            }
        }
    }
}

/* Tiles of 16 are fastest here, of 8 to 128; through a copy of the tile it is slower. */
void transpose_ref(double *restrict dst, const double *restrict src, size_t n, size_t me,
                   size_t threads) {
    for (size_t r = me * TILE; r < n; r += threads * TILE) {
        for (size_t c = 0; c < n; c += TILE) {
            for (size_t i = 0; i < TILE; i++) {
                for (size_t k = 0; k < TILE; k++) {
                    dst[(r + i) * n + c + k] = src[(c + k) * n + r + i];
                }
            }
        }
    }
}
