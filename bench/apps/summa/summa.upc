// SPDX-License-Identifier: BSD-3-Clause
/*
 * Product of two matrices of N x N doubles by SUMMA, with BLAS for the local products: Zheng, Unified
 * Parallel C for multicore (algorithm 1, figures 9 and 10). The threads are a grid. Panels of A and B
 * are dealt to its columns and rows, and in each step all need the next one of each.
 *
 * -DWAY says how they get them: BROADCAST, in the teams of rows and columns, which is done
 * hierarchically over hosts; OVERLAP, the same, begun one step ahead; FLAT, the owner puts them to
 * each of its team; GET and GET_OVERLAP, each gets them from the owner.
 * The reference is one dgemm of the library with as many threads.
 */
#define _GNU_SOURCE
#include "../../bench.h"
#include "../../cpus.h"
#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <upc_nb.h>
#include <upc_relaxed.h>
#include <upcx_team.h>

#define BROADCAST 1
#define OVERLAP 2
#define GET 3
#define GET_OVERLAP 4
#define FLAT 5

#if WAY == BROADCAST
#define NAME "broadcast"
#elif WAY == OVERLAP
#define NAME "overlap"
#elif WAY == GET
#define NAME "get"
#elif WAY == GET_OVERLAP
#define NAME "get-overlap"
#elif WAY == FLAT
#define NAME "flat"
#else
#error "-DWAY=BROADCAST, OVERLAP, FLAT, GET or GET_OVERLAP"
#endif

#ifndef CLASS
#define CLASS 'S'
#endif
#if CLASS == 'S'
enum { N = 420, PANEL = 35, ROUNDS = 1 };
#elif CLASS == 'W'
enum { N = 1680, PANEL = 120, ROUNDS = 5 };
#elif CLASS == 'A'
enum { N = 3360, PANEL = 168, ROUNDS = 3 };
#else
enum { N = 8400, PANEL = 240, ROUNDS = 1 }; // the paper's: 8192
#endif
enum { PANELS = N / PANEL, AHEAD = 2 };

// Panels that a thread owns follow each other. Those of A are stored by columns, of B by rows.
static shared [] double *shared own_a[THREADS], *shared own_b[THREADS], *shared own_c[THREADS];
static shared double *step_a[AHEAD], *step_b[AHEAD]; // of each thread: room for a panel
static shared double starts[THREADS];

static int rows, columns, row, column; // of the grid, and the thread's place
static int height, width;              // of a thread's part of the product
static upcx_team_t my_row, my_column;

// The most square grid that has all threads.
static void make_grid(void) {
    for (rows = 1; (rows + 1) * (rows + 1) <= THREADS; rows++) {
    }
    while (THREADS % rows) {
        rows--;
    }
    columns = THREADS / rows;
    row = MYTHREAD / columns;
    column = MYTHREAD % columns;
    height = N / rows;
    width = N / columns;
    my_row = upcx_team_split(UPCX_TEAM_ALL, row, column);
    my_column = upcx_team_split(UPCX_TEAM_ALL, column, row);
}

static double a_of(int i, int k) { return (i * 7 + k * 3) % 11 - 5; }
static double b_of(int k, int j) { return (k * 5 + j * 2) % 13 - 6; }

static void fill(void) {
    int a_panels = (PANELS + columns - 1) / columns, b_panels = (PANELS + rows - 1) / rows;
    own_a[MYTHREAD] = upc_alloc(sizeof(double) * a_panels * PANEL * height);
    own_b[MYTHREAD] = upc_alloc(sizeof(double) * b_panels * PANEL * width);
    own_c[MYTHREAD] = upc_alloc(sizeof(double) * height * width);
    double *a = (double *)own_a[MYTHREAD], *b = (double *)own_b[MYTHREAD];
    for (int k = 0; k < N; k++) {
        int panel = k / PANEL;
        for (int i = 0; panel % columns == column && i < height; i++) {
            a[((size_t)(panel / columns) * PANEL + k % PANEL) * height + i] =
                a_of(row * height + i, k);
        }
        for (int j = 0; panel % rows == row && j < width; j++) {
            b[((size_t)(panel / rows) * PANEL + k % PANEL) * width + j] =
                b_of(k, column * width + j);
        }
    }
    for (int i = 0; i < AHEAD; i++) {
        step_a[i] = upc_all_alloc((size_t)PANEL * height * THREADS, sizeof(double));
        step_b[i] = upc_all_alloc((size_t)PANEL * width * THREADS, sizeof(double));
    }
}

// A panel of A and of B on their way into the room `p % AHEAD`.
struct step {
    const shared [] double *a, *b; // where their owners have them
    int a_root, b_root;
    size_t a_bytes, b_bytes;
#if WAY == OVERLAP
    upcx_coll_handle_t handles[2];
#elif WAY == GET_OVERLAP
    upc_handle_t handles[2];
#endif
};

static struct step begin(int p) {
    struct step step = {.a_root = upcx_team_thread(my_row, p % columns),
                        .b_root = upcx_team_thread(my_column, p % rows),
                        .a_bytes = sizeof(double) * PANEL * height,
                        .b_bytes = sizeof(double) * PANEL * width};
    step.a = &own_a[step.a_root][(size_t)(p / columns) * PANEL * height];
    step.b = &own_b[step.b_root][(size_t)(p / rows) * PANEL * width];
#if WAY == OVERLAP
    upc_flag_t flags = UPC_IN_MYSYNC | UPC_OUT_MYSYNC;
    step.handles[0] =
        upcx_team_broadcast_nb(my_row, step_a[p % AHEAD], step.a, step.a_bytes, flags);
    step.handles[1] =
        upcx_team_broadcast_nb(my_column, step_b[p % AHEAD], step.b, step.b_bytes, flags);
#elif WAY == GET_OVERLAP
    step.handles[0] = upc_memget_nb((double *)&step_a[p % AHEAD][MYTHREAD], step.a, step.a_bytes);
    step.handles[1] = upc_memget_nb((double *)&step_b[p % AHEAD][MYTHREAD], step.b, step.b_bytes);
#endif
    return step;
}

#if WAY == FLAT
// The owner's panel into the room of each member.
static void put_to_all(upcx_team_t team, int root, shared double *room, const shared [] double *from,
                       size_t bytes) {
    for (int i = 0; root == MYTHREAD && i < upcx_team_size(team); i++) {
        shared [] double *to = (shared [] double *)&room[upcx_team_thread(team, i)];
        upc_memput_nbi(to, (const double *)from, bytes);
    }
}
#endif

static void finish(struct step *step, int p) {
#if WAY == BROADCAST
    upc_flag_t flags = UPC_IN_MYSYNC | UPC_OUT_MYSYNC;
    upcx_team_broadcast(my_row, step_a[p % AHEAD], step->a, step->a_bytes, flags);
    upcx_team_broadcast(my_column, step_b[p % AHEAD], step->b, step->b_bytes, flags);
#elif WAY == FLAT
    put_to_all(my_row, step->a_root, step_a[p % AHEAD], step->a, step->a_bytes);
    put_to_all(my_column, step->b_root, step_b[p % AHEAD], step->b, step->b_bytes);
    upc_synci();
    upcx_team_barrier(my_row);
    upcx_team_barrier(my_column);
#elif WAY == GET
    upc_memget((double *)&step_a[p % AHEAD][MYTHREAD], step->a, step->a_bytes);
    upc_memget((double *)&step_b[p % AHEAD][MYTHREAD], step->b, step->b_bytes);
#elif WAY == OVERLAP
    upcx_coll_wait(step->handles[0]);
    upcx_coll_wait(step->handles[1]);
#else
    upc_sync(step->handles[0]);
    upc_sync(step->handles[1]);
#endif
}

static void summa(void) {
    double *c = (double *)own_c[MYTHREAD];
    memset(c, 0, sizeof(double) * height * width);
    struct step next = begin(0);
    for (int p = 0; p < PANELS; p++) {
        struct step step = next;
        finish(&step, p);
        if (p + 1 < PANELS) {
            next = begin(p + 1);
        }
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, height, width, PANEL, 1,
                    (double *)&step_a[p % AHEAD][MYTHREAD], height,
                    (double *)&step_b[p % AHEAD][MYTHREAD], width, 1, c, height);
    }
}

// One dgemm, by columns.
static double reference(double *a, double *b, double *c) {
    cpu_set_t own = cpus_take_all();
    openblas_set_num_threads(THREADS);
    double start = bench_now();
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1, a, N, b, N, 0, c, N);
    double time = bench_now() - start;
    openblas_set_num_threads(1);
    cpus_leave(own);
    return time;
}

static double *matrix(double (*value)(int, int)) {
    double *m = malloc(sizeof *m * N * N);
    bench_check(m != NULL, "summa: no memory for a matrix of %d x %d", N, N);
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++) {
            m[(size_t)j * N + i] = value(i, j);
        }
    }
    return m;
}

// The numbers are small integers: all sums are exact.
static void check(const double *expected) {
    double *part = malloc(sizeof *part * height * width);
    for (int t = 0; t < THREADS; t++) {
        upc_memget(part, own_c[t], sizeof *part * height * width);
        for (int j = 0; j < width; j++) {
            for (int i = 0; i < height; i++) {
                int at_i = t / columns * height + i, at_j = t % columns * width + j;
                bench_check(part[(size_t)j * height + i] == expected[(size_t)at_j * N + at_i],
                            "summa: C[%d][%d] is %g, not %g", at_i, at_j,
                            part[(size_t)j * height + i], expected[(size_t)at_j * N + at_i]);
            }
        }
    }
    free(part);
}

// A thread may be late by a turn of another one's on its CPU.
static double first_start(void) {
    double first = starts[0];
    for (int i = 1; i < THREADS; i++) {
        first = starts[i] < first ? starts[i] : first;
    }
    return first;
}

int main(void) {
    struct bench_times times = {.n = 0}, whole = {.n = 0};
    double *a = NULL, *b = NULL, *c = NULL;
    char name[64];
    make_grid();
    if (N % rows || N % columns) {
        fprintf(stderr, "summa: a grid of %d x %d threads does not divide %d\n", rows, columns, N);
        return 2;
    }
    openblas_set_num_threads(1);
    fill();
    if (MYTHREAD == 0) {
        a = matrix(a_of);
        b = matrix(b_of);
        c = matrix(a_of);
    }
    for (int i = 0; i <= ROUNDS; i++) {
        upc_barrier;
        starts[MYTHREAD] = bench_now();
        summa();
        upc_barrier;
        if (MYTHREAD == 0) {
            double time = bench_now() - first_start();
            double dgemm = reference(a, b, c);
            if (i) { // the first round touches the memory
                bench_add(&times, time);
                bench_add(&whole, dgemm);
            }
        }
    }
    if (MYTHREAD == 0) {
        check(c);
        snprintf(name, sizeof name, "summa.%c-" NAME, CLASS);
        bench_rate(name, "GFlop/s", 2e-9 * N * N * (double)N, &times, &whole);
    }
    upc_barrier;
    return 0;
}
