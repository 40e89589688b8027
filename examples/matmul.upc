// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 1x4 4x1 2x2 1x7 3x1 5x1
/*
 * Dense matrix product in block layout: C = A * B.
 *
 * A matrix is a grid of tiles; a tile is one struct, so a whole tile lives with one thread and
 * moves with one upc_memget. Tile t belongs to thread t mod THREADS. Each thread computes the
 * tiles of C that it holds, with private copies of the tiles of A and B that it needs.
 *
 *     matmul [tiles-per-side]
 */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

#define TILE 32

struct tile {
    double v[TILE][TILE];
};

/* Values are small whole numbers, so that every sum is exact and can be compared with ==. */
static double a_value(int row, int col) {
    return (row * 3 + col) % 7 - 3;
}

static double b_value(int row, int col) {
    return (row + col * 5) % 9 - 4;
}

static void fill(shared struct tile *matrix, int side, double value(int row, int col)) {
    int t;
    upc_forall (t = 0; t < side * side; t++; &matrix[t]) {
        /* The tile has affinity to this thread: the cast gives a plain C pointer to it. */
        struct tile *mine = (struct tile *)&matrix[t];
        for (int i = 0; i < TILE; i++) {
            for (int j = 0; j < TILE; j++) {
                mine->v[i][j] = value(t / side * TILE + i, t % side * TILE + j);
            }
        }
    }
}

static void add_product(struct tile *c, const struct tile *a, const struct tile *b) {
    for (int i = 0; i < TILE; i++) {
        for (int k = 0; k < TILE; k++) {
            for (int j = 0; j < TILE; j++) {
                c->v[i][j] += a->v[i][k] * b->v[k][j];
            }
        }
    }
}

static void multiply(shared struct tile *c, shared struct tile *a, shared struct tile *b,
                     int side) {
    static struct tile a_tile, b_tile; /* private: every thread has its own */
    int t;
    upc_forall (t = 0; t < side * side; t++; &c[t]) {
        struct tile *sum = (struct tile *)&c[t];
        *sum = (struct tile){{{0}}};
        for (int k = 0; k < side; k++) {
            upc_memget(&a_tile, &a[t / side * side + k], sizeof a_tile);
            upc_memget(&b_tile, &b[k * side + t % side], sizeof b_tile);
            add_product(sum, &a_tile, &b_tile);
        }
    }
}

/* Compares a sample of C's elements, read one by one through shared pointers. */
static int count_wrong(shared struct tile *c, int side) {
    int n = side * TILE, wrong = 0;
    for (int row = 0; row < n; row += 5) {
        for (int col = row % 3; col < n; col += 7) {
            double expected = 0;
            for (int k = 0; k < n; k++) {
                expected += a_value(row, k) * b_value(k, col);
            }
            wrong += c[row / TILE * side + col / TILE].v[row % TILE][col % TILE] != expected;
        }
    }
    return wrong;
}

int main(int argc, char **argv) {
    int side = argc > 1 ? atoi(argv[1]) : 6;
    size_t n_tiles = (size_t)side * (size_t)side;
    shared struct tile *a = upc_all_alloc(n_tiles, sizeof(struct tile));
    shared struct tile *b = upc_all_alloc(n_tiles, sizeof(struct tile));
    shared struct tile *c = upc_all_alloc(n_tiles, sizeof(struct tile));

    fill(a, side, a_value);
    fill(b, side, b_value);
    upc_barrier;
    multiply(c, a, b, side);
    upc_barrier;

    if (MYTHREAD == 0) {
        int wrong = count_wrong(c, side);
        printf("product of two %d x %d matrices: %d wrong elements\n", side * TILE, side * TILE,
               wrong);
        if (wrong) {
            upc_global_exit(1);
        }
        printf("ok\n");
    }
    upc_all_free(a);
    upc_all_free(b);
    upc_all_free(c);
    return 0;
}
