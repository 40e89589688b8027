// SPDX-License-Identifier: BSD-3-Clause
/* Transpose of a matrix of 2048 x 2048 doubles: element by element, as one would first write it; by
 * upc_all_exchange, of a matrix that is stored in tiles; and by as many threads in C, which share
 * the whole of it.
 *
 * Row I of the tiles is thread I % THREADS's. The tiles of a thread's row that lie in THREADS
 * neighbouring columns are what one exchange deals out, one to each thread: small enough to be in
 * cache still when the thread that got them transposes them. */
#include "bench.h"
#include <bupc_collectivev.h>
#include <string.h>
#include <upc_castable.h>
#include <upc_collective.h>
#include <upc_relaxed.h>

enum { N = 2048, TILE = 64, TILES = N / TILE, ROUNDS = 30, NAIVE_ROUNDS = 5 };

void transpose_in_place(double *tile, size_t n);
void transpose_ref(double *restrict dst, const double *restrict src, size_t n, size_t me,
                   size_t threads);

static shared [N] double (*a)[N], (*b)[N];
static size_t groups;                           // of THREADS tiles, in each direction
static shared double *tiles, *transposed;       // [groups][groups][THREADS][TILE][TILE] of a thread
static double *whole, *whole_transposed;        // of C

static double entry(size_t row, size_t column)
{
    return (double)row * N + (double)column;
}

// Without a thought to where things are, and without hints to the compiler.
__attribute__((optimize("O0"))) static void naive(void)
{
    int i, j;
    upc_forall(i = 0; i < N; i++; &b[i][0])
        for (j = 0; j < N; j++)
            b[i][j] = a[j][i];
}

static size_t group(size_t row, size_t column)
{
    return (row * groups + column) * THREADS * TILE * TILE;
}

// What is in column J = column * THREADS + u of the tiles goes to thread u, which puts it into its
// column of the sender's rows.
static void by_exchange(void)
{
    const size_t bytes = TILE * TILE * sizeof(double);
    for (size_t row = 0; row < groups; row++)
        for (size_t column = 0; column < groups; column++) {
            upc_all_exchange(transposed + group(column, row) * THREADS,
                             tiles + group(row, column) * THREADS, bytes,
                             UPC_IN_NOSYNC | UPC_OUT_MYSYNC);
            double *got = (double *)&transposed[MYTHREAD] + group(column, row);
            for (size_t t = 0; t < THREADS; t++)
                transpose_in_place(got + t * TILE * TILE, TILE);
        }
}

// Memory that all threads can use as C does: of the process, if there is but one.
static double *memory_of_c(void)
{
    const size_t bytes = N * N * sizeof(double);
    int is_one = bupc_thread_distance(0, THREADS - 1) == BUPC_THREADS_VERYNEAR;
    if (!is_one)
        return upc_cast(upc_all_alloc(1, bytes));
    double *own = MYTHREAD == 0 ? aligned_alloc(64, bytes) : NULL;
    return (double *)bupc_allv_broadcast(uintptr_t, (uintptr_t)own, 0);
}

static void in_c(void)
{
    transpose_ref(whole_transposed, whole, N, MYTHREAD, THREADS);
}

typedef void method(void);

static double timed(method *transpose)
{
    upc_barrier;
    double begin = bench_now();
    transpose();
    upc_barrier;
    return bench_now() - begin;
}

static void set_up(void)
{
    a = upc_all_alloc(N, N * sizeof(double));
    b = upc_all_alloc(N, N * sizeof(double));
    groups = TILES / THREADS;
    size_t bytes = groups * groups * THREADS * TILE * TILE * sizeof(double);
    tiles = upc_all_alloc(THREADS, bytes);
    transposed = upc_all_alloc(THREADS, bytes);
    double *mine = (double *)&tiles[MYTHREAD];
    for (size_t row = 0; row < groups; row++)
        for (size_t column = 0; column < groups; column++)
            for (size_t u = 0; u < THREADS; u++)
                for (size_t i = 0; i < TILE * TILE; i++)
                    mine[group(row, column) + u * TILE * TILE + i] =
                        entry((row * THREADS + MYTHREAD) * TILE + i / TILE,
                              (column * THREADS + u) * TILE + i % TILE);
    memset((double *)&transposed[MYTHREAD], 0, bytes);
    whole = memory_of_c();
    whole_transposed = memory_of_c();
    for (size_t r = MYTHREAD; r < N; r += THREADS)
        for (size_t c = 0; c < N; c++) {
            a[r][c] = whole[r * N + c] = entry(r, c);
            whole_transposed[r * N + c] = 0;
        }
    upc_barrier;
}

static int is_right(void)
{
    const double *mine = (double *)&transposed[MYTHREAD];
    size_t wrong = 0;
    for (size_t row = 0; row < groups; row++)
        for (size_t column = 0; column < groups; column++)
            for (size_t u = 0; u < THREADS; u++)
                for (size_t i = 0; i < TILE * TILE; i++)
                    wrong += mine[group(row, column) + u * TILE * TILE + i] !=
                             entry((column * THREADS + u) * TILE + i % TILE,
                                   (row * THREADS + MYTHREAD) * TILE + i / TILE);
    for (size_t r = MYTHREAD; r < N; r += THREADS)
        for (size_t c = 0; c < N; c++)
            wrong += b[r][c] != entry(c, r) || whole_transposed[r * N + c] != entry(c, r);
    return bupc_allv_reduce_all(long, (long)wrong, UPC_ADD) == 0;
}

int main(void)
{
    struct bench_times exchange = {{0}, 0}, c = {{0}, 0}, fine = {{0}, 0};
    set_up();
    for (int round = 0; round < ROUNDS; round++) {
        bench_add(&exchange, timed(by_exchange));
        bench_add(&c, timed(in_c));
        if (round < NAIVE_ROUNDS)
            bench_add(&fine, timed(naive));
    }
    int good = is_right();
    if (MYTHREAD == 0) {
        const double moved = 2e-9 * N * N * sizeof(double);
        bench_rate("transpose-exchange", "GB/s", moved, &exchange, &c);
        bench_rate("transpose-exchange-gain", "GB/s", moved, &exchange, &fine);
        bench_rate("transpose-naive", "GB/s", moved, &fine, NULL);
        puts(good ? "" : "wrong");
    }
    return !good;
}
