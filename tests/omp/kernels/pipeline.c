/* SPDX-License-Identifier: BSD-3-Clause */
/* A sweep in which each element needs those above and left of it, in three ways: threads that wait
 * for their neighbours' flags by flush, as programs did before OpenMP 3.1; doacross loops; and tasks
 * with dependences. */
#include "../inputs/check.h"

enum { N = 48, BLOCK = 12, MOST = 256 };

static long expected[N + 1][N + 1], grid[N + 1][N + 1];
static int done[MOST][16]; /* rows that a thread has finished, a line each */

static void clear(void) {
    memset(grid, 0, sizeof grid);
    memset(done, 0, sizeof done);
    for (int i = 0; i <= N; i++) {
        grid[i][0] = grid[0][i] = i % 3 + 1;
    }
}

static void element(int i, int j) {
    grid[i][j] = (grid[i - 1][j] + 3 * grid[i][j - 1] + i * j) % 1000003;
}

static int is_right(void) { return memcmp(grid, expected, sizeof grid) == 0; }

/* Threads have columns, and do row after row. */
static void by_flush(void) {
    clear();
#pragma omp parallel
    {
        int me = omp_get_thread_num(), threads = omp_get_num_threads();
        int first = N * me / threads + 1, last = N * (me + 1) / threads;
        for (int i = 1; i <= N; i++) {
            int is_ready = me == 0;
            while (!is_ready) {
#pragma omp flush
#pragma omp atomic read
                is_ready = done[me - 1][0];
                is_ready = is_ready >= i;
            }
#pragma omp flush
            for (int j = first; j <= last; j++) {
                element(i, j);
            }
#pragma omp flush
#pragma omp atomic write
            done[me][0] = i;
        }
    }
}

static void by_doacross(void) {
    clear();
#pragma omp parallel for ordered(2) schedule(static, 1)
    for (int i = 1; i <= N; i++) {
        for (int j = 1; j <= N / BLOCK; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            for (int k = (j - 1) * BLOCK + 1; k <= j * BLOCK; k++) {
                element(i, k);
            }
#pragma omp ordered depend(source)
        }
    }
}

static char block[N / BLOCK + 1][N / BLOCK + 1]; /* what dependences speak of */

static void by_tasks(void) {
    clear();
#pragma omp parallel
#pragma omp single
    for (int i = 1; i <= N / BLOCK; i++) {
        for (int j = 1; j <= N / BLOCK; j++) {
#pragma omp task depend(in : block[i - 1][j], block[i][j - 1]) depend(out : block[i][j])
            for (int a = (i - 1) * BLOCK + 1; a <= i * BLOCK; a++) {
                for (int b = (j - 1) * BLOCK + 1; b <= j * BLOCK; b++) {
                    element(a, b);
                }
            }
        }
    }
}

int main(void) {
    clear();
    for (int i = 1; i <= N; i++) {
        for (int j = 1; j <= N; j++) {
            element(i, j);
        }
    }
    memcpy(expected, grid, sizeof grid);
    by_flush();
    CHECK(is_right());
    by_doacross();
    CHECK(is_right());
    by_tasks();
    CHECK(is_right());
    return result();
}
