// SPDX-License-Identifier: BSD-3-Clause
/*
 * UPC between processes and OpenMP within them (Zheng, section 2.5): Jacobi's method on bands of rows,
 * of which a team of OpenMP shares each. One process with a team for all CPUs, against as many
 * processes as the mapping says with smaller teams: the sum of the threads is the same.
 */
#include "bench.h"
#include <string.h>
#include <upc_relaxed.h>

enum { N = 1024, STEPS = 8, ROUNDS = 25 };

typedef double row[N];
static shared [] row *shared band[2][THREADS];
static shared double sums[THREADS];

static int first_row(int thread) {
    return (int)((long)N * thread / THREADS);
}

BENCH_KERNEL static void step(const row *from, row *to, int rows) {
#pragma omp parallel for schedule(static)
    for (int i = 1; i <= rows; i++) {
        to[i][0] = to[i][N - 1] = 0;
        for (int j = 1; j < N - 1; j++) {
            to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
        }
    }
}

static void give_edges(int which, int rows) {
    shared [] row *own = band[which][MYTHREAD];
    if (MYTHREAD > 0) {
        int above = first_row(MYTHREAD) - first_row(MYTHREAD - 1);
        upc_memput(&band[which][MYTHREAD - 1][above + 1], (double *)own[1], sizeof(row));
    }
    if (MYTHREAD < THREADS - 1) {
        upc_memput(&band[which][MYTHREAD + 1][0], (double *)own[rows], sizeof(row));
    }
}

static void steps(int rows) {
    for (int s = 0; s < STEPS; s++) {
        give_edges(s % 2, rows);
        upc_barrier;
        step((row *)band[s % 2][MYTHREAD], (row *)band[(s + 1) % 2][MYTHREAD], rows);
    }
    upc_barrier;
}

static void begin(int rows) {
    for (int which = 0; which < 2; which++) {
        row *own = (row *)band[which][MYTHREAD];
#pragma omp parallel for schedule(static)
        for (int i = 0; i < rows + 2; i++) {
            for (int j = 0; j < N; j++) {
                own[i][j] = MYTHREAD == 0 && i == 0 ? 100 : 0;
            }
        }
    }
    upc_barrier;
}

/* The sum of all rows after a few steps, by one thread. */
static double expected(int n_steps) {
    row *a = calloc(2 * (N + 2), sizeof *a);
    double sum = 0;
    for (int j = 0; j < N; j++) {
        a[0][j] = a[N + 2][j] = 100;
    }
    for (int s = 0; s < n_steps; s++) {
        step(a + s % 2 * (N + 2), a + (s + 1) % 2 * (N + 2), N);
    }
    for (int i = 1; i <= N; i++) {
        for (int j = 0; j < N; j++) {
            sum += a[n_steps % 2 * (N + 2) + i][j];
        }
    }
    free(a);
    return sum;
}

static void check(int rows) {
    row *own = (row *)band[0][MYTHREAD];
    double sum = 0;
    for (int i = 1; i <= rows; i++) {
        for (int j = 0; j < N; j++) {
            sum += own[i][j];
        }
    }
    sums[MYTHREAD] = sum;
    upc_barrier;
    if (MYTHREAD == 0) {
        double all = 0, right = expected(STEPS);
        for (int t = 0; t < THREADS; t++) {
            all += sums[t];
        }
        bench_check(all > right * (1 - 1e-12) && all < right * (1 + 1e-12),
                    "hybrid: the sum is %.17g, and should be %.17g", all, right);
    }
    upc_barrier;
}

int main(void) {
    struct bench_times times = {{0}, 0};
    int rows = first_row(MYTHREAD + 1) - first_row(MYTHREAD);
    for (int which = 0; which < 2; which++) {
        band[which][MYTHREAD] = upc_alloc((size_t)(rows + 2) * sizeof(row));
    }
    upc_barrier;
    begin(rows);
    steps(rows);
    check(rows);
    for (int round = 0; round < ROUNDS; round++) {
        double start = bench_now();
        steps(rows);
        bench_add(&times, (bench_now() - start) / STEPS);
    }
    if (MYTHREAD == 0) {
        bench_rate("hybrid-stencil", "Mpoints/s", 1e-6 * N * N, &times, NULL);
    }
    return 0;
}
