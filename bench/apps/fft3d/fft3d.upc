// SPDX-License-Identifier: BSD-3-Clause
/*
 * Fourier transform in three dimensions, with FFTW for those in one and two: Zheng, Unified Parallel C
 * for multicore (algorithm 2, figure 11, table 2). Between the local transforms the array changes
 * hands.
 *
 * -DWAY says how it is dealt and moved: SLABS, planes of the first dimension, moved by one exchange;
 * PUTS, the same, each plane sent by non-blocking puts when it is ready; PENCILS, columns on a grid
 * of threads, moved by an exchange in the rows of the grid and one in its columns. The reference is
 * FFTW's own transform with as many threads.
 */
#define _GNU_SOURCE
#include "../../bench.h"
#include "../../cpus.h"
#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <upc_collective.h>
#include <upc_nb.h>
#include <upc_relaxed.h>
#include <upcx_team.h>

#define SLABS 1
#define PUTS 2
#define PENCILS 3

#if WAY == SLABS
#define NAME "slabs"
#elif WAY == PUTS
#define NAME "puts"
#elif WAY == PENCILS
#define NAME "pencils"
#else
#error "-DWAY=SLABS, PUTS or PENCILS"
#endif

#ifndef CLASS
#define CLASS 'S'
#endif
#if CLASS == 'S'
enum { NX = 48, NY = 24, NZ = 24, ROUNDS = 1 };
#elif CLASS == 'W'
enum { NX = 128, NY = 128, NZ = 128, ROUNDS = 5 };
#elif CLASS == 'A'
enum { NX = 256, NY = 256, NZ = 128, ROUNDS = 3 };
#else
enum { NX = 512, NY = 256, NZ = 256, ROUNDS = 2 }; // the paper's
#endif

typedef double complex number;

// Of each thread: its part as [x][y][z], and two rooms of that size.
static shared number *given, *rooms[2];
static shared double starts[THREADS];
static size_t part; // numbers of a thread

static int rows = THREADS, columns = 1, row, column; // of the grid: x is cut by rows
static upcx_team_t my_row, my_column;

static double value_of(size_t i) { return (double)(i * 2654435761u % 1000) / 500 - 1; }

static number *mine(shared number *array) { return (number *)&array[MYTHREAD]; }

// Plans for `count` transforms of n numbers in place, `step` apart; those of a transform `stride` apart.
static fftw_plan plan(number *at, int n, int count, int stride, int step) {
    return fftw_plan_many_dft(1, &n, count, at, NULL, stride, step, at, NULL, stride, step,
                              FFTW_FORWARD, FFTW_MEASURE);
}

static void transform(fftw_plan plan, number *at) { fftw_execute_dft(plan, at, at); }

#if WAY == PENCILS
enum { PLANS = 3 };
static fftw_plan plans[PLANS]; // of a row of z, of a plane's columns of y, of all columns of x

static void make_grid(void) {
    for (rows = 1; (rows + 1) * (rows + 1) <= THREADS; rows++) {
    }
    while (THREADS % rows) {
        rows--;
    }
    columns = THREADS / rows;
    row = MYTHREAD / columns;
    column = MYTHREAD % columns;
    my_row = upcx_team_split(UPCX_TEAM_ALL, row, column);
    my_column = upcx_team_split(UPCX_TEAM_ALL, column, row);
}

static void make_plans(void) {
    int xs = NX / rows, ys = NY / columns, zs = NZ / columns;
    plans[0] = plan(mine(rooms[0]), NZ, xs * ys, 1, NZ);
    plans[1] = plan(mine(rooms[1]), NY, zs, zs, 1);
    plans[2] = plan(mine(rooms[0]), NX, NY / rows * zs, NY / rows * zs, 1);
}

// [x][y of the column][z] -> [x][y][z of the column] -> [x][y of the row][z of the column]
static void transform_all(void) {
    int xs = NX / rows, ys = NY / columns, zs = NZ / columns, ends = NY / rows;
    number *a = mine(rooms[0]), *b = mine(rooms[1]);
    memcpy(a, mine(given), part * sizeof(number));
    transform(plans[0], a);
    for (int to = 0; to < columns; to++) {
        for (int xy = 0; xy < xs * ys; xy++) {
            memcpy(&b[(size_t)(to * xs * ys + xy) * zs], &a[(size_t)xy * NZ + to * zs],
                   zs * sizeof(number));
        }
    }
    upcx_team_exchange(my_row, rooms[0], rooms[1], (size_t)xs * ys * zs * sizeof(number), 0);
    for (int from = 0; from < columns; from++) { // [from][x][y][z], by threads of y
        for (int x = 0; x < xs; x++) {
            memcpy(&b[((size_t)x * NY + from * ys) * zs], &a[(size_t)(from * xs + x) * ys * zs],
                   (size_t)ys * zs * sizeof(number));
        }
    }
    for (int x = 0; x < xs; x++) {
        transform(plans[1], &b[(size_t)x * NY * zs]);
    }
    for (int to = 0; to < rows; to++) {
        for (int x = 0; x < xs; x++) {
            memcpy(&a[(size_t)(to * xs + x) * ends * zs],
                   &b[((size_t)x * NY + to * ends) * zs], (size_t)ends * zs * sizeof(number));
        }
    }
    upcx_team_exchange(my_column, rooms[1], rooms[0], (size_t)xs * ends * zs * sizeof(number), 0);
    memcpy(a, b, part * sizeof(number));
    transform(plans[2], a);
}

// Where the thread has the result's (x, y, z), if it does.
static size_t place_of(int t, int x, int y, int z) {
    int zs = NZ / columns, ends = NY / rows;
    if (y / ends != t / columns || z / zs != t % columns) {
        return SIZE_MAX;
    }
    return ((size_t)x * ends + y % ends) * zs + z % zs;
}

#else
static fftw_plan plans[2]; // of a plane, and of all columns of x

static void make_grid(void) { row = MYTHREAD; }

static void make_plans(void) {
    int n = NY / THREADS * NZ;
    plans[0] = fftw_plan_dft_2d(NY, NZ, mine(rooms[0]), mine(rooms[0]), FFTW_FORWARD, FFTW_MEASURE);
    plans[1] = plan(mine(rooms[1]), NX, n, n, 1);
}

// [x of the thread][y][z] -> [x][y of the thread][z]
static void transform_all(void) {
    size_t plane = (size_t)NY * NZ, piece = plane / THREADS;
    int xs = NX / THREADS;
    number *a = mine(rooms[0]);
    for (int x = 0; x < xs; x++) {
        memcpy(&a[x * plane], &mine(given)[x * plane], plane * sizeof(number));
        transform(plans[0], &a[x * plane]);
#if WAY == PUTS
        for (int i = 0; i < THREADS; i++) {
            int to = (MYTHREAD + i) % THREADS;
            shared [] number *their = (shared [] number *)&rooms[1][to];
            upc_memput_nbi(&their[(MYTHREAD * xs + x) * piece], &a[x * plane + to * piece],
                           piece * sizeof(number));
        }
#endif
    }
#if WAY == PUTS
    upc_synci();
    upc_barrier;
#else
    static shared number *packed;
    if (!packed) {
        packed = upc_all_alloc(part * THREADS, sizeof(number));
    }
    for (int to = 0; to < THREADS; to++) {
        for (int x = 0; x < xs; x++) {
            memcpy(&mine(packed)[(to * xs + x) * piece], &a[x * plane + to * piece],
                   piece * sizeof(number));
        }
    }
    upc_all_exchange(rooms[1], packed, xs * piece * sizeof(number),
                     UPC_IN_ALLSYNC | UPC_OUT_MYSYNC);
#endif
    transform(plans[1], mine(rooms[1]));
}

static size_t place_of(int t, int x, int y, int z) {
    int ys = NY / THREADS;
    return y / ys == t ? ((size_t)x * ys + y % ys) * NZ + z : SIZE_MAX;
}
#endif

static shared number *result(void) { return WAY == PENCILS ? rooms[0] : rooms[1]; }

static double first_start(void) {
    double first = starts[0];
    for (int i = 1; i < THREADS; i++) {
        first = starts[i] < first ? starts[i] : first;
    }
    return first;
}

static void fill(void) {
    number *at = mine(given);
    int xs = NX / rows, ys = NY / columns;
    for (int x = 0; x < xs; x++) {
        for (int y = 0; y < ys; y++) {
            for (int z = 0; z < NZ; z++) {
                size_t i = ((size_t)(row * xs + x) * NY + column * ys + y) * NZ + z;
                at[((size_t)x * ys + y) * NZ + z] = value_of(2 * i) + I * value_of(2 * i + 1);
            }
        }
    }
}

// FFTW's own transform, in thread 0.
static number *whole, *answer;
static fftw_plan whole_plan;

static void prepare_reference(void) {
    size_t n = (size_t)NX * NY * NZ;
    fftw_init_threads();
    fftw_plan_with_nthreads(THREADS);
    whole = fftw_malloc(n * sizeof(number));
    answer = fftw_malloc(n * sizeof(number));
    bench_check(whole && answer, "fft3d: no memory for %zu numbers", n);
    cpu_set_t own = cpus_take_all();
    whole_plan = fftw_plan_dft_3d(NX, NY, NZ, whole, answer, FFTW_FORWARD, FFTW_MEASURE);
    cpus_leave(own);
    fftw_plan_with_nthreads(1);
    for (size_t i = 0; i < n; i++) {
        whole[i] = value_of(2 * i) + I * value_of(2 * i + 1);
    }
}

static double reference(void) {
    cpu_set_t own = cpus_take_all();
    double start = bench_now();
    fftw_execute(whole_plan);
    double time = bench_now() - start;
    cpus_leave(own);
    return time;
}

static void check(void) {
    number *theirs = malloc(part * sizeof(number));
    for (int t = 0; t < THREADS; t++) {
        upc_memget(theirs, (shared [] number *)&result()[t], part * sizeof(number));
        for (size_t i = 0; i < (size_t)NX * NY * NZ; i++) {
            size_t at = place_of(t, (int)(i / (NY * NZ)), (int)(i / NZ % NY), (int)(i % NZ));
            bench_check(at == SIZE_MAX || cabs(theirs[at] - answer[i]) < 1e-6,
                        "fft3d: number %zu is wrong", i);
        }
    }
    free(theirs);
}

int main(void) {
    struct bench_times times = {.n = 0}, own = {.n = 0};
    make_grid();
    if (NX % rows || NY % rows || NY % columns || NZ % columns) {
        fprintf(stderr, "fft3d: a grid of %d x %d threads does not divide %d x %d x %d\n", rows,
                columns, NX, NY, NZ);
        return 2;
    }
    part = (size_t)NX * NY * NZ / THREADS;
    given = upc_all_alloc(part * THREADS, sizeof(number));
    rooms[0] = upc_all_alloc(part * THREADS, sizeof(number));
    rooms[1] = upc_all_alloc(part * THREADS, sizeof(number));
    for (int t = 0; t < THREADS; t++) { // FFTW's planner is not for several threads
        if (t == MYTHREAD) {
            make_plans();
        }
        upc_barrier;
    }
    fill();
    if (MYTHREAD == 0) {
        prepare_reference();
    }
    for (int i = 0; i <= ROUNDS; i++) {
        upc_barrier;
        starts[MYTHREAD] = bench_now();
        transform_all();
        upc_barrier;
        if (MYTHREAD == 0) {
            double time = bench_now() - first_start(), theirs = reference();
            if (i) { // the first round touches the memory
                bench_add(&times, time);
                bench_add(&own, theirs);
            }
        }
    }
    if (MYTHREAD == 0) {
        double n = (double)NX * NY * NZ;
        char name[64];
        check();
        snprintf(name, sizeof name, "fft3d.%c-" NAME, CLASS);
        bench_rate(name, "GFlop/s", 5e-9 * n * log2(n), &times, &own);
    }
    upc_barrier;
    return 0;
}
