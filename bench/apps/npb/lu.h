/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * LU of the NAS Parallel Benchmarks: the equations of cfd.h, solved by symmetric successive
 * over-relaxation. A sweep needs at each point what it has just computed at the neighbours in x, y and
 * z. No Jacobian of a flux is ever stored: only its product with a vector is needed.
 */
#ifndef LU_H
#define LU_H

#include "npb.h"

enum { CFD_RESULTS = 11, CFD_LAG = 1, CFD_WORK = 0 };

#if CLASS == 'S'
enum { CFD_N = 12, CFD_STEPS = 50 };
static const double cfd_dt = 0.5;
static const double cfd_official[CFD_RESULTS] = {
    1.6196343210976702e-02, 2.1976745164821318e-03, 1.5179927653399185e-03, 1.5029584435994323e-03,
    3.4264073155896461e-02, 6.4223319957960924e-04, 8.4144342047347926e-05, 5.8588269616485186e-05,
    5.8474222595157350e-05, 1.3103347914111294e-03, 7.8418928865937083e+00};
#elif CLASS == 'W'
enum { CFD_N = 33, CFD_STEPS = 300 };
static const double cfd_dt = 1.5e-3;
static const double cfd_official[CFD_RESULTS] = {
    0.1236511638192e+02, 0.1317228477799e+01, 0.2550120713095e+01, 0.2326187750252e+01,
    0.2826799444189e+02, 0.4867877144216e+00, 0.5064652880982e-01, 0.9281818101960e-01,
    0.8570126542733e-01, 0.1084277417792e+01, 0.1161399311023e+02};
#elif CLASS == 'A'
enum { CFD_N = 64, CFD_STEPS = 250 };
static const double cfd_dt = 2;
static const double cfd_official[CFD_RESULTS] = {
    7.7902107606689367e+02, 6.3402765259692870e+01, 1.9499249727292479e+02, 1.7845301160418537e+02,
    1.8384760349464247e+03, 2.9964085685471943e+01, 2.8194576365003349e+00, 7.3473412698774742e+00,
    6.7139225687777051e+00, 7.0715315688392578e+01, 2.6030925604886277e+01};
#else
enum { CFD_N = 102, CFD_STEPS = 250 };
static const double cfd_dt = 2;
static const double cfd_official[CFD_RESULTS] = {
    3.5532672969982736e+03, 2.6214750795310692e+02, 8.8333721850952190e+02, 7.7812774739425265e+02,
    7.3087969592545314e+03, 1.1401176380212709e+02, 8.1098963655421574e+00, 2.8480597317698308e+01,
    2.5905394567832939e+01, 2.6054907504857413e+02, 4.7887162703308227e+01};
#endif

static const char *const cfd_name = "lu";
static const double cfd_operations = 1984.77 * CFD_N * CFD_N * CFD_N - 10923.3 * CFD_N * CFD_N +
                                     27770.9 * CFD_N - 144010.0;

#include "cfd.h"

static const double lu_omega = 1.2;

/*
 * Sweeps
 */

/* Adds to `sum` the block of the neighbour in direction n, whose solution is u, times v: `sign` 1 for
 * the next point, -1 for the one before. */
CFD_INLINE void lu_neighbour(int n, double sign, double sum[5], const CFD_REAL *u, const CFD_REAL *v) {
    const double over = 1 / u[0], energy = u[4] * over;
    const double c[4] = {0, u[1] * over, u[2] * over, u[3] * over};
    const double square = 0.5 * (c[1] * c[1] + c[2] * c[2] + c[3] * c[3]);
    const double along = c[1] * v[1] + c[2] * v[2] + c[3] * v[3];
    const double pressure = cfd_c2 * (square * v[0] - along + v[4]);
    const double flow = sign * cfd_dt * cfd_t2, smooth = cfd_dt * cfd_t1;
    double heat = cfd_c1345 * over * (v[4] - energy * v[0]);
    sum[0] += flow * v[n] - smooth * cfd_second[n] * v[0];
    for (int m = 1; m < 4; m++) {
        double convected = c[n] * v[m] + c[m] * (v[n] - c[n] * v[0]) + (m == n ? pressure : 0);
        double bent = over * (v[m] - c[m] * v[0]), weight = cfd_c34 * (m == n ? 4.0 / 3 : 1);
        sum[m] += flow * convected - smooth * (weight * bent + cfd_second[n] * v[m]);
        heat += (weight - cfd_c1345) * c[m] * bent;
    }
    double convected = c[n] * ((2 * cfd_c2 * square - cfd_c1 * energy) * v[0] - cfd_c2 * along +
                               cfd_c1 * v[4]) +
                       (cfd_c1 * energy - cfd_c2 * square) * v[n];
    sum[4] += flow * convected - smooth * (heat + cfd_second[n] * v[4]);
}

/* Solves for x the equations of the block at the point itself, which has elements besides its
 * diagonal in the first column and the last row only. */
CFD_INLINE void lu_solve(double x[5], const CFD_REAL *u) {
    const double over = 1 / u[0], twice = 2 * cfd_dt * cfd_t1, energy = u[4] * over;
    const double diagonal = 1 + twice * (cfd_second[1] + cfd_second[2] + cfd_second[3]);
    const double viscous = cfd_c34 * (2 + 4.0 / 3), thermal = 3 * cfd_c1345;
    x[0] /= diagonal;
    double rest = x[4] + twice * thermal * over * energy * x[0];
    for (int m = 1; m < 4; m++) {
        double velocity = u[m] * over;
        x[m] = (x[m] + twice * viscous * over * velocity * x[0]) /
               (diagonal + twice * viscous * over);
        rest -= twice * (viscous - thermal) * over * velocity * (x[m] - velocity * x[0]);
    }
    x[4] = rest / (diagonal + twice * thermal * over);
}

/* Rows of a plane, from the neighbours before; lines along x are solved from their begin. */
static NPB_KERNEL void lu_lower_row(CFD_REAL *r, const CFD_REAL *u, long plane) {
    for (long i = 5; i < CFD_ROW - 5; i += 5) {
        double sum[5] = {0, 0, 0, 0, 0}, x[5];
        lu_neighbour(3, -1, sum, u + i - plane, r + i - plane);
        lu_neighbour(2, -1, sum, u + i - CFD_ROW, r + i - CFD_ROW);
        lu_neighbour(1, -1, sum, u + i - 5, r + i - 5);
        for (int m = 0; m < 5; m++) {
            x[m] = r[i + m] - lu_omega * sum[m];
        }
        lu_solve(x, u + i);
        for (int m = 0; m < 5; m++) {
            r[i + m] = x[m];
        }
    }
}

/* The same from the neighbours behind. */
static NPB_KERNEL void lu_upper_row(CFD_REAL *r, const CFD_REAL *u, long plane) {
    for (long i = CFD_ROW - 10; i >= 5; i -= 5) {
        double sum[5] = {0, 0, 0, 0, 0};
        lu_neighbour(3, 1, sum, u + i + plane, r + i + plane);
        lu_neighbour(2, 1, sum, u + i + CFD_ROW, r + i + CFD_ROW);
        lu_neighbour(1, 1, sum, u + i + 5, r + i + 5);
        for (int m = 0; m < 5; m++) {
            sum[m] *= lu_omega;
        }
        lu_solve(sum, u + i);
        for (int m = 0; m < 5; m++) {
            r[i + m] -= sum[m];
        }
    }
}

static void cfd_solve(const struct cfd *c) {
    cfd_add(c, c->r, 0, cfd_dt, c->r);
    const long begin = cfd_inner_begin(c), end = cfd_inner_end(c);
    for (long k = 1; k < CFD_N - 1; k++) {
        cfd_await(c, k, -1);
        for (long j = begin; j < end; j++) {
            lu_lower_row(c->r + cfd_at(c, k, j), c->u + cfd_at(c, k, j), 5 * c->plane);
        }
        cfd_pass(c, k, -1);
    }
    for (long k = CFD_N - 2; k > 0; k--) {
        cfd_await(c, k, 1);
        for (long j = end - 1; j >= begin; j--) {
            lu_upper_row(c->r + cfd_at(c, k, j), c->u + cfd_at(c, k, j), 5 * c->plane);
        }
        cfd_pass(c, k, 1);
    }
}

static void cfd_correct(const struct cfd *c) {
    cfd_add(c, c->u, 1, 1 / (lu_omega * (2 - lu_omega)), c->r);
}

/*
 * Results
 */

static inline double lu_pressure(const struct cfd *c, long i, long j, long k) {
    const CFD_REAL *u = c->u + cfd_at(c, k, j - c->begin) + 5 * i;
    return cfd_c2 * (u[4] - 0.5 * (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / u[0]);
}

/* How often a place of a line counts in a trapezoidal sum: half of it, at the line's ends. */
static inline double lu_share(long place, long first, long last) {
    return place < first || place > last ? 0 : place == first || place == last ? 0.5 : 1;
}

/* The integral of the pressure over the surface of a box inside. */
static inline double lu_integral(const struct cfd *c) {
    const long x0 = 1, x1 = CFD_N - 2, y0 = 1, y1 = CFD_N - 3, z0 = 2, z1 = CFD_N - 2;
    double sum = 0;
    for (long k = z0; k <= z1; k++) {
        for (long j = c->begin; j < c->begin + c->rows; j++) {
            for (long i = x0; i <= x1; i++) {
                double x = lu_share(i, x0, x1), y = lu_share(j, y0, y1), z = lu_share(k, z0, z1);
                double share = (k == z0 || k == z1 ? x * y : 0) +
                               (j == y0 || j == y1 ? x * z : 0) + (i == x0 || i == x1 ? y * z : 0);
                sum += share > 0 ? share * lu_pressure(c, i, j, k) : 0;
            }
        }
    }
    cfd_sum(&sum, 1);
    return sum / ((CFD_N - 1.0) * (CFD_N - 1.0));
}

static void cfd_results(const struct cfd *c, double result[CFD_RESULTS]) {
    cfd_norms(c, result);
    result[CFD_NORMS] = lu_integral(c);
}

#endif
