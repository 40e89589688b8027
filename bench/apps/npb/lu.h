/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * LU of the NAS Parallel Benchmarks: the compressible Navier-Stokes equations in a cube, solved by
 * symmetric successive over-relaxation. The whole algorithm, for all programs that include this:
 * UPC, OpenMP and MPI differ in what stands between their threads, the functions at "The program's
 * part".
 *
 * The cube is cut along y. A sweep needs at each point what it has just computed at the neighbours
 * in x, y and z: threads work one behind the other, each a plane of z after the thread before it.
 *
 * The equations' flux in a direction and its Jacobian are written once, for all three directions,
 * and no Jacobian is ever stored: only its product with a vector is needed. Momenta are components 1
 * to 3, so direction n is the one of component n.
 */
#ifndef LU_H
#define LU_H

#include "npb.h"

/* A component of a point, where threads see each other's. */
#define LU_REAL NPB_OWN double
#define LU_INLINE static inline __attribute__((always_inline))

#if CLASS == 'S'
enum { LU_N = 12, LU_STEPS = 50 };
static const double lu_dt = 0.5;
static const double lu_official[11] = {
    1.6196343210976702e-02, 2.1976745164821318e-03, 1.5179927653399185e-03, 1.5029584435994323e-03,
    3.4264073155896461e-02, 6.4223319957960924e-04, 8.4144342047347926e-05, 5.8588269616485186e-05,
    5.8474222595157350e-05, 1.3103347914111294e-03, 7.8418928865937083e+00};
#elif CLASS == 'W'
enum { LU_N = 33, LU_STEPS = 300 };
static const double lu_dt = 1.5e-3;
static const double lu_official[11] = {
    0.1236511638192e+02, 0.1317228477799e+01, 0.2550120713095e+01, 0.2326187750252e+01,
    0.2826799444189e+02, 0.4867877144216e+00, 0.5064652880982e-01, 0.9281818101960e-01,
    0.8570126542733e-01, 0.1084277417792e+01, 0.1161399311023e+02};
#elif CLASS == 'A'
enum { LU_N = 64, LU_STEPS = 250 };
static const double lu_dt = 2;
static const double lu_official[11] = {
    7.7902107606689367e+02, 6.3402765259692870e+01, 1.9499249727292479e+02, 1.7845301160418537e+02,
    1.8384760349464247e+03, 2.9964085685471943e+01, 2.8194576365003349e+00, 7.3473412698774742e+00,
    6.7139225687777051e+00, 7.0715315688392578e+01, 2.6030925604886277e+01};
#else
enum { LU_N = 102, LU_STEPS = 250 };
static const double lu_dt = 2;
static const double lu_official[11] = {
    3.5532672969982736e+03, 2.6214750795310692e+02, 8.8333721850952190e+02, 7.7812774739425265e+02,
    7.3087969592545314e+03, 1.1401176380212709e+02, 8.1098963655421574e+00, 2.8480597317698308e+01,
    2.5905394567832939e+01, 2.6054907504857413e+02, 4.7887162703308227e+01};
#endif

/* A row of points along x; rows of y that a thread has beyond its own, on each side. */
enum { LU_ROW = 5 * LU_N, LU_GHOSTS = 2 };

static const double lu_omega = 1.2;
/* Steps of the grid: 1/h^2 and 1/2h. The coefficients of the equations. */
static const double lu_t1 = (LU_N - 1.0) * (LU_N - 1.0), lu_t2 = 0.5 * (LU_N - 1);
static const double lu_c1 = 1.4, lu_c2 = 0.4, lu_c5 = 1.4, lu_c34 = 0.1, lu_c1345 = 1.4 * 0.1 * 1.4;
/* Of the second difference in each direction, the same for all components; of the fourth one. */
static const double lu_second[4] = {0, 0.75, 0.75, 1}, lu_fourth = 0.25;

/* A thread's share: the solution u and the right side, or its correction, r. `force`, and what is
 * computed of u before it is used many times, are private. */
struct lu {
    LU_REAL *u, *r; /* [z][rows and ghosts][x][5] */
    double *force;  /* [z][rows and ghosts][x][5] */
    double *inverse, *dynamic; /* 1 / density, and half of the squared velocity */
    long begin, rows;          /* of y */
    long plane;                /* from plane to plane in u and r */
};

/*
 * The program's part. All threads call each together.
 */

/* Neighbours no longer read u as it was: it may be changed. */
static void lu_meet(const struct lu *l);
/* Fills the ghosts of u. */
static void lu_exchange(const struct lu *l);
/* Before and after a plane of a sweep: r of the next row, in the direction that the sweep comes from
 * (-1: from small y), is there; the last own row goes on. */
static void lu_await(const struct lu *l, long k, int from);
static void lu_pass(const struct lu *l, long k, int from);
/* Sums over all threads. */
static void lu_sum(double *values, int n);

/* Where row j of plane k begins, in points of own arrays; the same, in u and r. */
static inline long lu_own(const struct lu *l, long k, long j) {
    return (k * (l->rows + 2 * LU_GHOSTS) + j + LU_GHOSTS) * LU_N;
}

static inline long lu_at(const struct lu *l, long k, long j) {
    return k * l->plane + (j + LU_GHOSTS) * LU_ROW;
}

/* Own rows that are not on the cube's surface: from, and up to. */
static inline long lu_inner_begin(const struct lu *l) { return l->begin == 0 ? 1 : 0; }
static inline long lu_inner_end(const struct lu *l) {
    return l->begin + l->rows == LU_N ? l->rows - 1 : l->rows;
}

/*
 * The exact solution, and the start
 */

static const double lu_exact_terms[5][13] = {
    {2, 0, 0, 4, 5, 3, 0.5, 0.02, 0.01, 0.03, 0.5, 0.4, 0.3},
    {1, 0, 0, 0, 1, 2, 3, 0.01, 0.03, 0.02, 0.4, 0.3, 0.5},
    {2, 2, 0, 0, 0, 2, 3, 0.04, 0.03, 0.05, 0.3, 0.5, 0.4},
    {2, 2, 0, 0, 0, 2, 3, 0.03, 0.05, 0.04, 0.2, 0.1, 0.3},
    {5, 4, 3, 2, 0.1, 0.4, 0.3, 0.05, 0.04, 0.03, 0.1, 0.3, 0.2}};

/* Component m at a point of the grid. */
static inline double lu_exact(int m, long i, long j, long k) {
    const double at[3] = {(double)i / (LU_N - 1), (double)j / (LU_N - 1), (double)k / (LU_N - 1)};
    const double *c = lu_exact_terms[m];
    double sum = c[0];
    for (int d = 0; d < 3; d++) {
        sum += at[d] * (c[1 + d] + at[d] * (c[4 + d] + at[d] * (c[7 + d] + at[d] * c[10 + d])));
    }
    return sum;
}

/* Inside, what lies between the exact values on the surface. */
static inline double lu_first(int m, long i, long j, long k) {
    const long last = LU_N - 1;
    if (i == 0 || j == 0 || k == 0 || i == last || j == last || k == last) {
        return lu_exact(m, i, j, k);
    }
    double xi = (double)i / last, eta = (double)j / last, zeta = (double)k / last;
    double x = (1 - xi) * lu_exact(m, 0, j, k) + xi * lu_exact(m, last, j, k);
    double y = (1 - eta) * lu_exact(m, i, 0, k) + eta * lu_exact(m, i, last, k);
    double z = (1 - zeta) * lu_exact(m, i, j, 0) + zeta * lu_exact(m, i, j, last);
    return x + y + z - x * y - y * z - z * x + x * y * z;
}

static inline void lu_fill(const struct lu *l, double value(int m, long i, long j, long k)) {
    lu_meet(l);
    for (long k = 0; k < LU_N; k++) {
        for (long j = 0; j < l->rows; j++) {
            for (long i = 0; i < LU_N; i++) {
                for (int m = 0; m < 5; m++) {
                    l->u[lu_at(l, k, j) + 5 * i + m] = value(m, i, l->begin + j, k);
                    l->r[lu_at(l, k, j) + 5 * i + m] = 0;
                }
            }
        }
    }
    lu_exchange(l);
}

/*
 * The right side
 */

static inline void lu_prepare(const struct lu *l) {
    const long begin = l->begin == 0 ? 0 : -1, end = l->rows + (l->begin + l->rows < LU_N);
    for (long k = 0; k < LU_N; k++) {
        for (long j = begin; j < end; j++) {
            const LU_REAL *u = l->u + lu_at(l, k, j);
            double *inverse = l->inverse + lu_own(l, k, j), *dynamic = l->dynamic + lu_own(l, k, j);
            for (long i = 0; i < LU_N; i++, u += 5) {
                inverse[i] = 1 / u[0];
                dynamic[i] = 0.5 * (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) * inverse[i] *
                             inverse[i];
            }
        }
    }
}

/* Weights of the fourth difference at a place of a line, and how far the points are: less than two
 * from the line's ends it is another one, and weights of points that are not there are 0. */
struct lu_stencil {
    double weight[5];
    long at[5];
};

LU_INLINE struct lu_stencil lu_stencil(long place, long stride) {
    const int room[2] = {place > 1 ? place > 2 ? 2 : 1 : 0,
                         place < LU_N - 2 ? place < LU_N - 3 ? 2 : 1 : 0};
    struct lu_stencil s = {{0, 0, room[0] && room[1] ? 6 : 5, 0, 0}, {0, 0, 0, 0, 0}};
    for (int side = 0; side < 2; side++) {
        for (int far = 1; far <= room[side]; far++) {
            int i = side ? 2 + far : 2 - far;
            s.weight[i] = far == 1 ? -4 : 1;
            s.at[i] = (i - 2) * stride;
        }
    }
    return s;
}

/* A point and its neighbours in a direction: 0 the one before, 1 itself, 2 the next. */
struct lu_three {
    double velocity[3][4], energy[3], square[3];
};

/* What direction n adds to the right side at a point: convection by first differences, viscosity by
 * second ones, and both differences of u that keep it smooth. `step` points lie between neighbours in
 * own arrays, `stride` components in u. */
LU_INLINE void lu_direction(int n, double sum[5], const LU_REAL *u, long stride,
                            const double *inverse, const double *dynamic, long step,
                            const struct lu_stencil *s) {
    struct lu_three at;
    double flux[3][5];
    for (int p = 0; p < 3; p++) {
        const LU_REAL *v = u + (p - 1) * stride;
        const double over = inverse[(p - 1) * step], square = dynamic[(p - 1) * step];
        for (int m = 1; m < 4; m++) {
            at.velocity[p][m] = v[m] * over;
        }
        at.square[p] = 2 * square;
        at.energy[p] = v[4] * over;
        double pressure = lu_c2 * (v[4] - square * v[0]), speed = at.velocity[p][n];
        flux[p][0] = v[n];
        for (int m = 1; m < 4; m++) {
            flux[p][m] = v[m] * speed + (m == n ? pressure : 0);
        }
        flux[p][4] = (v[4] + pressure) * speed;
    }
    for (int m = 0; m < 5; m++) {
        double second = u[m - stride] - 2 * u[m] + u[m + stride], fourth = 0;
        for (int i = 0; i < 5; i++) {
            fourth += s->weight[i] * u[m + s->at[i]];
        }
        sum[m] += lu_t1 * lu_second[n] * second - lu_t2 * (flux[2][m] - flux[0][m]) -
                  lu_fourth * fourth;
    }
    double heat = 0.5 * (1 - lu_c1 * lu_c5) * (at.square[0] - 2 * at.square[1] + at.square[2]) +
                  lu_c1 * lu_c5 * (at.energy[0] - 2 * at.energy[1] + at.energy[2]);
    for (int m = 1; m < 4; m++) {
        double bend = at.velocity[0][m] - 2 * at.velocity[1][m] + at.velocity[2][m];
        sum[m] += lu_t1 * lu_c34 * (m == n ? 4.0 / 3 : 1) * bend;
    }
    heat += 1.0 / 6 * (at.velocity[0][n] * at.velocity[0][n] -
                       2 * at.velocity[1][n] * at.velocity[1][n] +
                       at.velocity[2][n] * at.velocity[2][n]);
    sum[4] += lu_t1 * lu_c34 * heat;
}

/* r = the equations' operator of u, without `force`, in a row. */
static NPB_KERNEL void lu_right_row(const struct lu *l, long k, long j,
                                    const struct lu_stencil *along_x) {
    const struct lu_stencil y = lu_stencil(l->begin + j, LU_ROW), z = lu_stencil(k, l->plane);
    const long own_plane = lu_own(l, 1, 0) - lu_own(l, 0, 0);
    const LU_REAL *u = l->u + lu_at(l, k, j);
    LU_REAL *r = l->r + lu_at(l, k, j);
    const double *inverse = l->inverse + lu_own(l, k, j), *dynamic = l->dynamic + lu_own(l, k, j);
    const double *force = l->force + 5 * lu_own(l, k, j);
    for (long i = 1; i < LU_N - 1; i++) {
        double sum[5] = {0, 0, 0, 0, 0};
        lu_direction(1, sum, u + 5 * i, 5, inverse + i, dynamic + i, 1, &along_x[i]);
        lu_direction(2, sum, u + 5 * i, LU_ROW, inverse + i, dynamic + i, LU_N, &y);
        lu_direction(3, sum, u + 5 * i, l->plane, inverse + i, dynamic + i, own_plane, &z);
        for (int m = 0; m < 5; m++) {
            r[5 * i + m] = sum[m] - force[5 * i + m];
        }
    }
}

static inline void lu_right(const struct lu *l) {
    struct lu_stencil x[LU_N];
    for (long i = 1; i < LU_N - 1; i++) {
        x[i] = lu_stencil(i, 5);
    }
    lu_prepare(l);
    for (long k = 1; k < LU_N - 1; k++) {
        for (long j = lu_inner_begin(l); j < lu_inner_end(l); j++) {
            lu_right_row(l, k, j, x);
        }
    }
}

/* The force that makes the exact solution one. */
static inline void lu_setup_force(const struct lu *l) {
    for (long i = 0; i < 5 * lu_own(l, LU_N, -LU_GHOSTS); i++) {
        l->force[i] = 0;
    }
    lu_fill(l, lu_exact);
    lu_right(l);
    for (long k = 1; k < LU_N - 1; k++) {
        for (long j = lu_inner_begin(l); j < lu_inner_end(l); j++) {
            for (long i = 5; i < LU_ROW - 5; i++) {
                l->force[5 * lu_own(l, k, j) + i] = l->r[lu_at(l, k, j) + i];
            }
        }
    }
}

/*
 * Sweeps
 */

/* Adds to `sum` the block of the neighbour in direction n, whose solution is u, times v: `sign` 1 for
 * the next point, -1 for the one before. */
LU_INLINE void lu_neighbour(int n, double sign, double sum[5], const LU_REAL *u, const LU_REAL *v) {
    const double over = 1 / u[0], energy = u[4] * over;
    const double c[4] = {0, u[1] * over, u[2] * over, u[3] * over};
    const double square = 0.5 * (c[1] * c[1] + c[2] * c[2] + c[3] * c[3]);
    const double along = c[1] * v[1] + c[2] * v[2] + c[3] * v[3];
    const double pressure = lu_c2 * (square * v[0] - along + v[4]);
    const double flow = sign * lu_dt * lu_t2, smooth = lu_dt * lu_t1;
    double heat = lu_c1345 * over * (v[4] - energy * v[0]);
    sum[0] += flow * v[n] - smooth * lu_second[n] * v[0];
    for (int m = 1; m < 4; m++) {
        double convected = c[n] * v[m] + c[m] * (v[n] - c[n] * v[0]) + (m == n ? pressure : 0);
        double bent = over * (v[m] - c[m] * v[0]), weight = lu_c34 * (m == n ? 4.0 / 3 : 1);
        sum[m] += flow * convected - smooth * (weight * bent + lu_second[n] * v[m]);
        heat += (weight - lu_c1345) * c[m] * bent;
    }
    double convected = c[n] * ((2 * lu_c2 * square - lu_c1 * energy) * v[0] - lu_c2 * along +
                               lu_c1 * v[4]) +
                       (lu_c1 * energy - lu_c2 * square) * v[n];
    sum[4] += flow * convected - smooth * (heat + lu_second[n] * v[4]);
}

/* Solves for x the equations of the block at the point itself, which has elements besides its
 * diagonal in the first column and the last row only. */
LU_INLINE void lu_solve(double x[5], const LU_REAL *u) {
    const double over = 1 / u[0], twice = 2 * lu_dt * lu_t1, energy = u[4] * over;
    const double diagonal = 1 + twice * (lu_second[1] + lu_second[2] + lu_second[3]);
    const double viscous = lu_c34 * (2 + 4.0 / 3), thermal = 3 * lu_c1345;
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
static NPB_KERNEL void lu_lower_row(LU_REAL *r, const LU_REAL *u, long plane) {
    for (long i = 5; i < LU_ROW - 5; i += 5) {
        double sum[5] = {0, 0, 0, 0, 0}, x[5];
        lu_neighbour(3, -1, sum, u + i - plane, r + i - plane);
        lu_neighbour(2, -1, sum, u + i - LU_ROW, r + i - LU_ROW);
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
static NPB_KERNEL void lu_upper_row(LU_REAL *r, const LU_REAL *u, long plane) {
    for (long i = LU_ROW - 10; i >= 5; i -= 5) {
        double sum[5] = {0, 0, 0, 0, 0};
        lu_neighbour(3, 1, sum, u + i + plane, r + i + plane);
        lu_neighbour(2, 1, sum, u + i + LU_ROW, r + i + LU_ROW);
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

static inline void lu_sweeps(const struct lu *l) {
    const long begin = lu_inner_begin(l), end = lu_inner_end(l);
    for (long k = 1; k < LU_N - 1; k++) {
        lu_await(l, k, -1);
        for (long j = begin; j < end; j++) {
            lu_lower_row(l->r + lu_at(l, k, j), l->u + lu_at(l, k, j), l->plane);
        }
        lu_pass(l, k, -1);
    }
    for (long k = LU_N - 2; k > 0; k--) {
        lu_await(l, k, 1);
        for (long j = end - 1; j >= begin; j--) {
            lu_upper_row(l->r + lu_at(l, k, j), l->u + lu_at(l, k, j), l->plane);
        }
        lu_pass(l, k, 1);
    }
}

/* to = scale to + factor from, inside. */
static inline void lu_add(const struct lu *l, LU_REAL *to, double scale, double factor,
                          const LU_REAL *from) {
    for (long k = 1; k < LU_N - 1; k++) {
        for (long j = lu_inner_begin(l); j < lu_inner_end(l); j++) {
            const long row = lu_at(l, k, j);
            for (long i = 5; i < LU_ROW - 5; i++) {
                to[row + i] = scale * to[row + i] + factor * from[row + i];
            }
        }
    }
}

static inline void lu_steps(const struct lu *l, int steps) {
    for (int step = 0; step < steps; step++) {
        lu_add(l, l->r, 0, lu_dt, l->r);
        lu_sweeps(l);
        lu_meet(l);
        lu_add(l, l->u, 1, 1 / (lu_omega * (2 - lu_omega)), l->r);
        lu_exchange(l);
        lu_right(l);
    }
}

#include "lu_verify.h"

#endif
