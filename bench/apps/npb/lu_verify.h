/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The second half of lu.h: the run of LU, and what its result is compared by.
 */
#ifndef LU_VERIFY_H
#define LU_VERIFY_H

/* The norms of r, and of the error of u. */
static inline void lu_norms(const struct lu *l, double norms[10]) {
    for (int m = 0; m < 10; m++) {
        norms[m] = 0;
    }
    for (long k = 1; k < LU_N - 1; k++) {
        for (long j = lu_inner_begin(l); j < lu_inner_end(l); j++) {
            for (long i = 1; i < LU_N - 1; i++) {
                for (int m = 0; m < 5; m++) {
                    double rest = l->r[lu_at(l, k, j) + 5 * i + m];
                    double u = l->u[lu_at(l, k, j) + 5 * i + m];
                    double error = lu_exact(m, i, l->begin + j, k) - u;
                    norms[m] += rest * rest;
                    norms[5 + m] += error * error;
                }
            }
        }
    }
    lu_sum(norms, 10);
    for (int m = 0; m < 10; m++) {
        norms[m] = sqrt(norms[m] / ((LU_N - 2.0) * (LU_N - 2.0) * (LU_N - 2.0)));
    }
}

static inline double lu_pressure(const struct lu *l, long i, long j, long k) {
    const LU_REAL *u = l->u + lu_at(l, k, j - l->begin) + 5 * i;
    return lu_c2 * (u[4] - 0.5 * (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / u[0]);
}

/* How often a place of a line counts in a trapezoidal sum: half of it, at the line's ends. */
static inline double lu_share(long place, long first, long last) {
    return place < first || place > last ? 0 : place == first || place == last ? 0.5 : 1;
}

/* The integral of the pressure over the surface of a box inside. */
static inline double lu_integral(const struct lu *l) {
    const long x0 = 1, x1 = LU_N - 2, y0 = 1, y1 = LU_N - 3, z0 = 2, z1 = LU_N - 2;
    double sum = 0;
    for (long k = z0; k <= z1; k++) {
        for (long j = l->begin; j < l->begin + l->rows; j++) {
            for (long i = x0; i <= x1; i++) {
                double x = lu_share(i, x0, x1), y = lu_share(j, y0, y1), z = lu_share(k, z0, z1);
                double share = (k == z0 || k == z1 ? x * y : 0) +
                               (j == y0 || j == y1 ? x * z : 0) + (i == x0 || i == x1 ? y * z : 0);
                sum += share > 0 ? share * lu_pressure(l, i, j, k) : 0;
            }
        }
    }
    lu_sum(&sum, 1);
    return sum / ((LU_N - 1.0) * (LU_N - 1.0));
}

/* Own rows of one of `threads`. Returns 0 if there are fewer than a neighbour wants to see. */
static inline int lu_setup(struct lu *l, int threads, int thread) {
    *l = (struct lu){.begin = npb_begin(LU_N, threads, thread)};
    l->rows = npb_begin(LU_N, threads, thread + 1) - l->begin;
    l->plane = (l->rows + 2 * LU_GHOSTS) * LU_ROW;
    return LU_N / threads >= LU_GHOSTS;
}

/* The private arrays. Returns 0 without memory. */
static inline int lu_allocate(struct lu *l) {
    size_t points = (size_t)lu_own(l, LU_N, -LU_GHOSTS);
    l->force = malloc(5 * points * sizeof *l->force);
    l->inverse = malloc(points * sizeof *l->inverse);
    l->dynamic = malloc(points * sizeof *l->dynamic);
    return l->force && l->inverse && l->dynamic;
}

static inline void lu_free(struct lu *l) {
    free(l->force);
    free(l->inverse);
    free(l->dynamic);
}

/* What all threads do. Returns the seconds that the steps took; in `result` what is compared. */
static inline double lu_run(const struct lu *l, double result[11]) {
    lu_setup_force(l);
    lu_fill(l, lu_first);
    lu_right(l);
    lu_steps(l, 1); /* untimed: memory and caches are then as they stay */
    lu_fill(l, lu_first);
    lu_right(l);
    lu_sum(result, 1); /* all begin together */
    double began = bench_now();
    lu_steps(l, LU_STEPS);
    lu_norms(l, result);
    double seconds = bench_now() - began;
    result[10] = lu_integral(l);
    return seconds;
}

static inline int lu_finish(const double result[11], double seconds) {
    const char *const names[3] = {"a residual", "an error", "the integral"};
    const double n = LU_N, points = n * n * n;
    int verified = 1;
    for (int i = 0; i < 11; i++) {
        verified &= npb_is(names[i / 5], result[i], lu_official[i], 1e-8);
    }
    double operations = LU_STEPS * (1984.77 * points - 10923.3 * n * n + 27770.9 * n - 144010.0);
    return npb_finish("lu", operations, seconds, verified);
}

static inline int lu_refuse(int threads) {
    return npb_refuse("lu", "each has two rows of the cube or more", threads);
}

#endif
