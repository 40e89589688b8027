// SPDX-License-Identifier: BSD-3-Clause
/* Transpose of a matrix of N x N doubles (-DN=64; 2048 else): element by element, as one would first
 * write it; by upc_all_exchange, of a matrix that is stored in tiles; and by as many threads in C,
 * which share the whole of it. Figure 8 of Zheng, "Optimizing UPC programs for multi-core systems":
 * the element by element version is also measured without the C compiler's optimisation, which is
 * no fair opponent and is labelled so.
 *
 * Row I of the tiles is thread I % THREADS's. The tiles of a thread's row that lie in THREADS
 * neighbouring columns are what one exchange deals out, one to each thread: small enough to be in
 * cache still when the thread that got them transposes them. */
#include "bench.h"
#include <bupc_collectivev.h>
#include <string.h>
#include <unistd.h>
#include <upc_castable.h>
#include <upc_collective.h>
#include <upc_relaxed.h>

#ifndef N
#define N 2048
#endif
enum { ROUNDS = 30, NAIVE_ROUNDS = 5, MOST_TILE = 64 };

typedef void method(void);

static size_t tile_side, tiles_a_side;

void transpose_in_place(double *tile, size_t n);
void transpose_ref(double *restrict dst, const double *restrict src, size_t n, size_t me,
                   size_t threads);

static shared [N] double (*a)[N], (*b)[N];
static size_t groups;                           // of THREADS tiles, in each direction
static shared double *tiles, *transposed;       // [groups][groups][THREADS][tile_side][tile_side] of a thread
static double *whole, *whole_transposed;        // of C

static double entry(size_t row, size_t column)
{
    return (double)row * N + (double)column;
}

// Without a thought to where things are.
static void naive(void)
{
    int i, j;
    upc_forall(i = 0; i < N; i++; &b[i][0])
        for (j = 0; j < N; j++)
            b[i][j] = a[j][i];
}

__attribute__((optimize("O0"))) static void naive_unoptimised(void)
{
    int i, j;
    upc_forall(i = 0; i < N; i++; &b[i][0])
        for (j = 0; j < N; j++)
            b[i][j] = a[j][i];
}

static size_t group(size_t row, size_t column)
{
    return (row * groups + column) * THREADS * tile_side * tile_side;
}

// What is in column J = column * THREADS + u of the tiles goes to thread u, which puts it into its
// column of the sender's rows.
static void by_exchange(void)
{
    const size_t bytes = tile_side * tile_side * sizeof(double);
    for (size_t row = 0; row < groups; row++)
        for (size_t column = 0; column < groups; column++) {
            upc_all_exchange(transposed + group(column, row) * THREADS,
                             tiles + group(row, column) * THREADS, bytes,
                             UPC_IN_NOSYNC | UPC_OUT_MYSYNC);
            double *got = (double *)&transposed[MYTHREAD] + group(column, row);
            for (size_t t = 0; t < THREADS; t++)
                transpose_in_place(got + t * tile_side * tile_side, tile_side);
        }
}

// Memory that all threads can use as C does: of the process, if there is but one.
static double *memory_of_c(void)
{
    const size_t bytes = N * N * sizeof(double);
    long process = getpid();
    if (bupc_allv_reduce_all(long, process, UPC_MIN) != bupc_allv_reduce_all(long, process, UPC_MAX))
        return upc_cast(upc_all_alloc(1, bytes));
    double *own = MYTHREAD == 0 ? aligned_alloc(64, bytes) : NULL;
    return (double *)bupc_allv_broadcast(uintptr_t, (uintptr_t)own, 0);
}

static void in_c(void)
{
    transpose_ref(whole_transposed, whole, N, MYTHREAD, THREADS);
}

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
    tile_side = N / THREADS < MOST_TILE ? N / THREADS : MOST_TILE;
    tiles_a_side = N / tile_side;
    groups = tiles_a_side / THREADS;
    bench_check(tile_side % 8 == 0 && groups * THREADS * tile_side == N,
                "a matrix of %d rows cannot be cut into tiles for %d threads", N, THREADS);
    size_t bytes = groups * groups * THREADS * tile_side * tile_side * sizeof(double);
    tiles = upc_all_alloc(THREADS, bytes);
    transposed = upc_all_alloc(THREADS, bytes);
    double *mine = (double *)&tiles[MYTHREAD];
    for (size_t row = 0; row < groups; row++)
        for (size_t column = 0; column < groups; column++)
            for (size_t u = 0; u < THREADS; u++)
                for (size_t i = 0; i < tile_side * tile_side; i++)
                    mine[group(row, column) + u * tile_side * tile_side + i] =
                        entry((row * THREADS + MYTHREAD) * tile_side + i / tile_side,
                              (column * THREADS + u) * tile_side + i % tile_side);
    memset((double *)&transposed[MYTHREAD], 0, bytes);
    whole = memory_of_c();
    whole_transposed = memory_of_c();
    for (size_t r = MYTHREAD; r < N; r += THREADS)
        for (size_t c = 0; c < N; c++) {
            a[r][c] = whole[r * N + c] = entry(r, c);
            whole_transposed[r * N + c] = b[r][c] = -1;
        }
    upc_barrier;
}

static size_t wrong_in_tiles(void)
{
    const double *mine = (double *)&transposed[MYTHREAD];
    size_t wrong = 0;
    for (size_t row = 0; row < groups; row++)
        for (size_t column = 0; column < groups; column++)
            for (size_t u = 0; u < THREADS; u++)
                for (size_t i = 0; i < tile_side * tile_side; i++)
                    wrong += mine[group(row, column) + u * tile_side * tile_side + i] !=
                             entry((column * THREADS + u) * tile_side + i % tile_side,
                                   (row * THREADS + MYTHREAD) * tile_side + i / tile_side);
    return wrong;
}

static size_t wrong_in_c(void)
{
    size_t wrong = 0;
    for (size_t r = MYTHREAD; r < N; r += THREADS)
        for (size_t c = 0; c < N; c++)
            wrong += whole_transposed[r * N + c] != entry(c, r);
    return wrong;
}

// Forgets them: each of the versions must write them.
static size_t wrong_in_b(void)
{
    size_t wrong = 0;
    for (size_t r = MYTHREAD; r < N; r += THREADS)
        for (size_t c = 0; c < N; c++) {
            wrong += b[r][c] != entry(c, r);
            b[r][c] = -1;
        }
    return wrong;
}

static void check(const char *name, method *transpose, size_t (*count_wrong)(void))
{
    upc_barrier;
    transpose();
    upc_barrier;
    size_t wrong = count_wrong();
    bench_check(wrong == 0, "transpose-%s: %zu elements of thread %d", name, wrong, MYTHREAD);
}

static void report(struct bench_times *exchange, struct bench_times *c, struct bench_times *fine,
                   struct bench_times *unoptimised)
{
    const double moved = 2e-9 * N * N * sizeof(double);
    bench_point("transpose", "upc_all_exchange", N, "ms", 1e3, exchange);
    bench_point("transpose", "element by element", N, "ms", 1e3, fine);
    bench_point("transpose", "element by element, -O0", N, "ms", 1e3, unoptimised);
    bench_point("transpose", "threads of C", N, "ms", 1e3, c);
    if (N == 2048) {
        bench_rate("transpose-exchange", "GB/s", moved, exchange, c);
        bench_rate("transpose-exchange-gain", "GB/s", moved, exchange, fine);
        bench_rate("transpose-exchange-gain-over-O0", "GB/s", moved, exchange, unoptimised);
        bench_rate("transpose-naive", "GB/s", moved, fine, NULL);
    }
}

int main(void)
{
    static struct bench_times exchange, c, fine, unoptimised;
    set_up();
    check("exchange", by_exchange, wrong_in_tiles);
    check("in-c", in_c, wrong_in_c);
    check("naive", naive, wrong_in_b);
    check("naive-O0", naive_unoptimised, wrong_in_b);
    for (int round = 0; round < ROUNDS; round++) {
        bench_add(&exchange, timed(by_exchange));
        bench_add(&c, timed(in_c));
        if (round < NAIVE_ROUNDS) {
            bench_add(&fine, timed(naive));
            bench_add(&unoptimised, timed(naive_unoptimised));
        }
    }
    if (MYTHREAD == 0)
        report(&exchange, &c, &fine, &unoptimised);
    return 0;
}
