/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * BT of the NAS Parallel Benchmarks: the equations of cfd.h, whose implicit part has along a line three
 * diagonals of blocks of 5 x 5, made of the Jacobians of the flux and of the viscous terms.
 */
#ifndef BT_H
#define BT_H

#include "npb.h"

/* What is kept of a point are the five columns of the block behind the diagonal, and the right side,
 * row by row. */
enum { CFD_RESULTS = 10, CFD_LAG = 1, BT_COLUMNS = 6, CFD_WORK = 5 * BT_COLUMNS };

#if CLASS == 'S'
enum { CFD_N = 12, CFD_STEPS = 60 };
static const double cfd_dt = 0.01;
static const double cfd_official[CFD_RESULTS] = {
    1.7034283709541311e-01, 1.2975252070034097e-02, 3.2527926989486055e-02, 2.6436421275166801e-02,
    1.9211784131744430e-01, 4.9976913345811579e-04, 4.5195666782961927e-05, 7.3973765172921357e-05,
    7.3821238632439731e-05, 8.9269630987491446e-04};
#elif CLASS == 'W'
enum { CFD_N = 24, CFD_STEPS = 200 };
static const double cfd_dt = 0.0008;
static const double cfd_official[CFD_RESULTS] = {
    0.1125590409344e+03, 0.1180007595731e+02, 0.2710329767846e+02, 0.2469174937669e+02,
    0.2638427874317e+03, 0.4419655736008e+01, 0.4638531260002e+00, 0.1011551749967e+01,
    0.9235878729944e+00, 0.1018045837718e+02};
#elif CLASS == 'A'
enum { CFD_N = 64, CFD_STEPS = 200 };
static const double cfd_dt = 0.0008;
static const double cfd_official[CFD_RESULTS] = {
    1.0806346714637264e+02, 1.1319730901220813e+01, 2.5974354511582465e+01, 2.3665622544678910e+01,
    2.5278963211748344e+02, 4.2348416040525025e+00, 4.4390282496995698e-01, 9.6692480136345650e-01,
    8.8302063039765474e-01, 9.7379901770829278e+00};
#else
enum { CFD_N = 102, CFD_STEPS = 200 };
static const double cfd_dt = 0.0003;
static const double cfd_official[CFD_RESULTS] = {
    1.4233597229287254e+03, 9.9330522590150238e+01, 3.5646025644535285e+02, 3.2485447959084092e+02,
    3.2707541254659363e+03, 5.2969847140936856e+01, 4.4632896115670668e+00, 1.3122573342210174e+01,
    1.2006925323559144e+01, 1.2459576151035986e+02};
#endif

static const char *const cfd_name = "bt";
static const double cfd_operations =
    3478.8 * CFD_N * CFD_N * CFD_N - 17655.7 * CFD_N * CFD_N + 28023.7 * CFD_N;

#include "adi.h"

/* block = flow x the Jacobian of the flux in direction n + smooth x that of the viscous terms and the
 * second difference, at a point. A constant flow of 0 leaves out the first. */
CFD_INLINE void bt_block(int n, double flow, double smooth, const CFD_REAL *u, double inverse,
                         double block[5][5]) {
    const double v[4] = {0, u[1] * inverse, u[2] * inverse, u[3] * inverse};
    const double energy = u[4] * inverse, thin = smooth * inverse;
    double heat = cfd_c1345 * energy;
    for (int m = 0; m < 5; m++) {
        for (int q = 0; q < 5; q++) {
            block[m][q] = m == q ? smooth * cfd_second[n] : 0;
        }
    }
    for (int m = 1; m < 4; m++) {
        const double viscous = cfd_c34 * (m == n ? 4.0 / 3 : 1);
        block[m][0] -= thin * viscous * v[m];
        block[m][m] += thin * viscous;
        block[4][m] += thin * (viscous - cfd_c1345) * v[m];
        heat += (viscous - cfd_c1345) * v[m] * v[m];
    }
    block[4][0] -= thin * heat;
    block[4][4] += thin * cfd_c1345;
    if (flow == 0) {
        return;
    }
    const double square = 0.5 * (v[1] * v[1] + v[2] * v[2] + v[3] * v[3]), along = flow * v[n];
    block[0][n] += flow;
    for (int m = 1; m < 4; m++) {
        block[m][0] -= along * v[m];
        block[m][m] += along;
        block[m][n] += flow * v[m];
        block[n][m] -= flow * cfd_c2 * v[m];
        block[4][m] -= along * cfd_c2 * v[m];
    }
    block[n][0] += flow * cfd_c2 * square;
    block[n][4] += flow * cfd_c2;
    block[4][0] += along * (2 * cfd_c2 * square - cfd_c1 * energy);
    block[4][n] += flow * (cfd_c1 * energy - cfd_c2 * square);
    block[4][4] += cfd_c1 * along;
}

/* Solves a x = b for each column of b, which x takes the place of. Diagonals are large enough. */
CFD_INLINE void bt_invert(double a[5][5], double b[5][BT_COLUMNS]) {
    for (int p = 0; p < 5; p++) {
        const double over = 1 / a[p][p];
        for (int q = p + 1; q < 5; q++) {
            a[p][q] *= over;
        }
        for (int q = 0; q < BT_COLUMNS; q++) {
            b[p][q] *= over;
        }
        for (int m = 0; m < 5; m++) {
            if (m == p) {
                continue;
            }
            const double factor = a[m][p];
            for (int q = p + 1; q < 5; q++) {
                a[m][q] -= factor * a[p][q];
            }
            for (int q = 0; q < BT_COLUMNS; q++) {
                b[m][q] -= factor * b[p][q];
            }
        }
    }
}

/* A place of a line: with a point and its neighbours in u. */
CFD_INLINE void bt_place(int n, const struct cfd *c, long point, long step, const double *before,
                         double *work) {
    const double flow = cfd_dt * cfd_t2, smooth = cfd_dt * cfd_t1, scale = n == 1 ? cfd_dt : 1;
    const CFD_REAL *u = c->u + 5 * point, *r = c->r + 5 * point;
    double lower[5][5], middle[5][5], upper[5][5], x[5][BT_COLUMNS];
    bt_block(n, -flow, -smooth, u - 5 * step, c->inverse[point - step], lower);
    bt_block(n, 0, 2 * smooth, u, c->inverse[point], middle);
    bt_block(n, flow, -smooth, u + 5 * step, c->inverse[point + step], upper);
    for (int m = 0; m < 5; m++) {
        middle[m][m] += 1;
        for (int q = 0; q < 5; q++) {
            x[m][q] = upper[m][q];
            for (int p = 0; p < 5; p++) {
                middle[m][q] -= lower[m][p] * before[p * BT_COLUMNS + q];
            }
        }
        x[m][5] = scale * r[m];
        for (int p = 0; p < 5; p++) {
            x[m][5] -= lower[m][p] * before[p * BT_COLUMNS + 5];
        }
    }
    bt_invert(middle, x);
    for (int m = 0; m < 5; m++) {
        for (int q = 0; q < BT_COLUMNS; q++) {
            work[m * BT_COLUMNS + q] = x[m][q];
        }
    }
}

CFD_INLINE void bt_eliminate(int n, const struct cfd *c, const struct adi_lines *l) {
    for (long place = l->begin; place < l->end; place++) {
        for (long line = 0; line < l->n; line++) {
            double *work = adi_work(l, place, line);
            bt_place(n, c, adi_point(l, place, line), l->step, work - adi_before(l), work);
        }
    }
}

static NPB_KERNEL void bt_eliminate_x(const struct cfd *c, const struct adi_lines *l) {
    bt_eliminate(1, c, l);
}
static NPB_KERNEL void bt_eliminate_y(const struct cfd *c, const struct adi_lines *l) {
    bt_eliminate(2, c, l);
}
static NPB_KERNEL void bt_eliminate_z(const struct cfd *c, const struct adi_lines *l) {
    bt_eliminate(3, c, l);
}

static void adi_eliminate(int n, const struct cfd *c, const struct adi_lines *l) {
    (n == 1 ? bt_eliminate_x : n == 2 ? bt_eliminate_y : bt_eliminate_z)(c, l);
}

static NPB_KERNEL void bt_substitute(const struct cfd *c, const struct adi_lines *l) {
    for (long place = l->end - 1; place >= l->begin; place--) {
        for (long line = 0; line < l->n; line++) {
            const double *work = adi_work(l, place, line);
            CFD_REAL *r = c->r + 5 * adi_point(l, place, line);
            const CFD_REAL *next = r + 5 * l->step;
            for (int m = 0; m < 5; m++, work += BT_COLUMNS) {
                r[m] = work[5] - work[0] * next[0] - work[1] * next[1] - work[2] * next[2] -
                       work[3] * next[3] - work[4] * next[4];
            }
        }
    }
}

static void adi_substitute(int n, const struct cfd *c, const struct adi_lines *l) {
    (void)n;
    bt_substitute(c, l);
}

static void cfd_correct(const struct cfd *c) { cfd_add(c, c->u, 1, 1, c->r); }

static void cfd_results(const struct cfd *c, double result[CFD_RESULTS]) { cfd_norms(c, result); }

#endif
