/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What LU, SP and BT of the NAS Parallel Benchmarks share: the compressible Navier-Stokes equations in
 * a cube, whose exact solution is a polynomial; initial values, the right side, and the norms by which
 * results are compared. The three differ in how they solve for a step's correction, "The solver's
 * part" (lu.h, sp.h, bt.h). UPC, OpenMP and MPI differ in what stands between their threads, "The
 * program's part" (cfd_upc.h, cfd_omp.h, cfd_mpi.h).
 *
 * The cube is cut along y. A sweep that follows y goes through threads one behind the other, each a
 * plane of z after the thread before it.
 *
 * The equations' flux in a direction is written once, for all three directions. Momenta are components
 * 1 to 3, so direction n is the one of component n.
 *
 * Before this is included there are the solver's cfd_name and cfd_operations in a step; the size:
 * CFD_N points along each edge, CFD_STEPS steps of cfd_dt; CFD_LAG, the places of a line that a place
 * needs before it, and CFD_WORK, the numbers that the solver keeps for each point of a line until it
 * comes back; and the official results cfd_official[CFD_RESULTS]: norms of r, norms of the error,
 * others.
 */
#ifndef CFD_H
#define CFD_H

#include "npb.h"

/* A component of a point, where threads see each other's. */
#define CFD_REAL NPB_OWN double
#define CFD_INLINE static inline __attribute__((always_inline))

/* A row of points along x; rows of y that a thread has beyond its own, on each side. */
enum { CFD_ROW = 5 * CFD_N, CFD_GHOSTS = 2, CFD_NORMS = 10 };
/* Lines that are solved together; what a plane of a sweep passes on beside rows of r. */
enum { CFD_BUNDLE = 8, CFD_FRONT = CFD_LAG * CFD_N * CFD_WORK };
/* Planes that a thread is ahead of the next one before it waits for what comes back. */
enum { CFD_AHEAD = 4 };

/* Steps of the grid: 1/h^2 and 1/2h. The coefficients of the equations. */
static const double cfd_t1 = (CFD_N - 1.0) * (CFD_N - 1.0), cfd_t2 = 0.5 * (CFD_N - 1);
static const double cfd_c1 = 1.4, cfd_c2 = 0.4, cfd_c5 = 1.4, cfd_c34 = 0.1,
                    cfd_c1345 = 1.4 * 0.1 * 1.4;
/* Of the second difference in each direction, the same for all components; of the fourth one. */
static const double cfd_second[4] = {0, 0.75, 0.75, 1}, cfd_fourth = 0.25;

/* A thread's share: the solution u and the right side, or its correction, r. What is computed of u
 * before it is used many times, and `force`, are private, or of the whole cube where threads share it.
 */
struct cfd {
    CFD_REAL *u, *r; /* [z][rows and ghosts][x][5] */
    CFD_REAL *front; /* [z][CFD_FRONT]: what the thread before this one has passed on */
    double *force;   /* [z][rows and ghosts][x][5] */
    double *inverse, *dynamic; /* [z][rows and ghosts][x]: 1 / density, 1/2 velocity^2 */
    long begin, rows;          /* of y */
    long plane;                /* points from plane to plane */
    long delay;                /* planes after which one comes back from the threads behind */
    int is_joint;              /* ghosts are the neighbours' own rows, in one cube */
    /* The share by which lines along y are solved, and of which planes: this one, or the whole cube
     * where threads share it. */
    const struct cfd *across;
    long across_begin, across_end;
    /* What the solver keeps: of a bundle of lines, [place][line]; and of lines along y that other
     * threads go on with, [plane under way][rows][x]. Both begin CFD_LAG places before the first. */
    double *work, *store;
};

/*
 * The solver's part
 */

/* Makes the correction r of the right side r. */
static void cfd_solve(const struct cfd *c);
/* Corrects u by r. */
static void cfd_correct(const struct cfd *c);
/* What is compared with the official results. */
static void cfd_results(const struct cfd *c, double result[CFD_RESULTS]);

/*
 * The program's part. All threads call each together.
 */

/* Neighbours no longer read u as it was: it may be changed. */
static void cfd_meet(const struct cfd *c);
/* Fills the ghosts of u. */
static void cfd_exchange(const struct cfd *c);
/* Where threads share the cube, all of them see what each has computed of it. */
static void cfd_join(void);
/* Before and after a plane of a sweep along y: CFD_LAG rows of r, those next to this share in the
 * direction that the sweep comes from (-1: from small y), are there; the last own ones go on. */
static void cfd_await(const struct cfd *c, long k, int from);
static void cfd_pass(const struct cfd *c, long k, int from);
/* The same of c->front, in sweeps from small y. */
static inline void cfd_await_front(const struct cfd *c, long k);
static inline void cfd_pass_front(const struct cfd *c, long k, const double *front);
/* Sums over all threads. */
static void cfd_sum(double *values, int n);

/* The first point of row j of plane k. */
static inline long cfd_point(const struct cfd *c, long k, long j) {
    return k * c->plane + (j + CFD_GHOSTS) * CFD_N;
}

/* The same in u and r. */
static inline long cfd_at(const struct cfd *c, long k, long j) { return 5 * cfd_point(c, k, j); }

/* Own rows that are not on the cube's surface: from, and up to. */
static inline long cfd_inner_begin(const struct cfd *c) { return c->begin == 0 ? 1 : 0; }
static inline long cfd_inner_end(const struct cfd *c) {
    return c->begin + c->rows == CFD_N ? c->rows - 1 : c->rows;
}

/*
 * The exact solution, and the start
 */

static const double cfd_exact_terms[5][13] = {
    {2, 0, 0, 4, 5, 3, 0.5, 0.02, 0.01, 0.03, 0.5, 0.4, 0.3},
    {1, 0, 0, 0, 1, 2, 3, 0.01, 0.03, 0.02, 0.4, 0.3, 0.5},
    {2, 2, 0, 0, 0, 2, 3, 0.04, 0.03, 0.05, 0.3, 0.5, 0.4},
    {2, 2, 0, 0, 0, 2, 3, 0.03, 0.05, 0.04, 0.2, 0.1, 0.3},
    {5, 4, 3, 2, 0.1, 0.4, 0.3, 0.05, 0.04, 0.03, 0.1, 0.3, 0.2}};

/* Component m at a point of the grid. */
static inline double cfd_exact(int m, long i, long j, long k) {
    const double at[3] = {(double)i / (CFD_N - 1), (double)j / (CFD_N - 1), (double)k / (CFD_N - 1)};
    const double *c = cfd_exact_terms[m];
    double sum = c[0];
    for (int d = 0; d < 3; d++) {
        sum += at[d] * (c[1 + d] + at[d] * (c[4 + d] + at[d] * (c[7 + d] + at[d] * c[10 + d])));
    }
    return sum;
}

/* Inside, what lies between the exact values on the surface. */
static inline double cfd_first(int m, long i, long j, long k) {
    const long last = CFD_N - 1;
    if (i == 0 || j == 0 || k == 0 || i == last || j == last || k == last) {
        return cfd_exact(m, i, j, k);
    }
    double xi = (double)i / last, eta = (double)j / last, zeta = (double)k / last;
    double x = (1 - xi) * cfd_exact(m, 0, j, k) + xi * cfd_exact(m, last, j, k);
    double y = (1 - eta) * cfd_exact(m, i, 0, k) + eta * cfd_exact(m, i, last, k);
    double z = (1 - zeta) * cfd_exact(m, i, j, 0) + zeta * cfd_exact(m, i, j, last);
    return x + y + z - x * y - y * z - z * x + x * y * z;
}

static inline void cfd_fill(const struct cfd *c, double value(int m, long i, long j, long k)) {
    cfd_meet(c);
    for (long k = 0; k < CFD_N; k++) {
        for (long j = 0; j < c->rows; j++) {
            for (long i = 0; i < CFD_N; i++) {
                for (int m = 0; m < 5; m++) {
                    c->u[cfd_at(c, k, j) + 5 * i + m] = value(m, i, c->begin + j, k);
                    c->r[cfd_at(c, k, j) + 5 * i + m] = 0;
                }
            }
        }
    }
    cfd_exchange(c);
}

/*
 * The right side
 */

static inline void cfd_prepare(const struct cfd *c) {
    const long begin = c->is_joint || c->begin == 0 ? 0 : -1;
    const long end = c->is_joint || c->begin + c->rows == CFD_N ? c->rows : c->rows + 1;
    for (long k = 0; k < CFD_N; k++) {
        for (long j = begin; j < end; j++) {
            const CFD_REAL *u = c->u + cfd_at(c, k, j);
            double *inverse = c->inverse + cfd_point(c, k, j);
            double *dynamic = c->dynamic + cfd_point(c, k, j);
            for (long i = 0; i < CFD_N; i++, u += 5) {
                inverse[i] = 1 / u[0];
                dynamic[i] = 0.5 * (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) * inverse[i] *
                             inverse[i];
            }
        }
    }
    cfd_join();
}

/* Weights of the fourth difference at a place of a line, and how far the points are: less than two
 * from the line's ends it is another one, and weights of points that are not there are 0. */
struct cfd_stencil {
    double weight[5];
    long at[5];
};

CFD_INLINE struct cfd_stencil cfd_stencil(long place, long stride) {
    const int room[2] = {place > 1 ? place > 2 ? 2 : 1 : 0,
                         place < CFD_N - 2 ? place < CFD_N - 3 ? 2 : 1 : 0};
    struct cfd_stencil s = {{0, 0, room[0] && room[1] ? 6 : 5, 0, 0}, {0, 0, 0, 0, 0}};
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
struct cfd_three {
    double velocity[3][4], energy[3], square[3];
};

/* What direction n adds to the right side at a point: convection by first differences, viscosity by
 * second ones, and both differences of u that keep it smooth. `step` points lie between neighbours in
 * own arrays, `stride` components in u. */
CFD_INLINE void cfd_direction(int n, double sum[5], const CFD_REAL *u, long stride,
                            const double *inverse, const double *dynamic, long step,
                            const struct cfd_stencil *s) {
    struct cfd_three at;
    double flux[3][5];
    for (int p = 0; p < 3; p++) {
        const CFD_REAL *v = u + (p - 1) * stride;
        const double over = inverse[(p - 1) * step], square = dynamic[(p - 1) * step];
        for (int m = 1; m < 4; m++) {
            at.velocity[p][m] = v[m] * over;
        }
        at.square[p] = 2 * square;
        at.energy[p] = v[4] * over;
        double pressure = cfd_c2 * (v[4] - square * v[0]), speed = at.velocity[p][n];
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
        sum[m] += cfd_t1 * cfd_second[n] * second - cfd_t2 * (flux[2][m] - flux[0][m]) -
                  cfd_fourth * fourth;
    }
    double heat = 0.5 * (1 - cfd_c1 * cfd_c5) * (at.square[0] - 2 * at.square[1] + at.square[2]) +
                  cfd_c1 * cfd_c5 * (at.energy[0] - 2 * at.energy[1] + at.energy[2]);
    for (int m = 1; m < 4; m++) {
        double bend = at.velocity[0][m] - 2 * at.velocity[1][m] + at.velocity[2][m];
        sum[m] += cfd_t1 * cfd_c34 * (m == n ? 4.0 / 3 : 1) * bend;
    }
    heat += 1.0 / 6 * (at.velocity[0][n] * at.velocity[0][n] -
                       2 * at.velocity[1][n] * at.velocity[1][n] +
                       at.velocity[2][n] * at.velocity[2][n]);
    sum[4] += cfd_t1 * cfd_c34 * heat;
}

/* r = the equations' operator of u, without `force`, in a row. */
static NPB_KERNEL void cfd_right_row(const struct cfd *c, long k, long j,
                                     const struct cfd_stencil *along_x) {
    const struct cfd_stencil y = cfd_stencil(c->begin + j, CFD_ROW), z = cfd_stencil(k, 5 * c->plane);
    const long point = cfd_point(c, k, j);
    const CFD_REAL *u = c->u + 5 * point;
    CFD_REAL *r = c->r + 5 * point;
    const double *inverse = c->inverse + point, *dynamic = c->dynamic + point;
    const double *force = c->force + 5 * point;
    for (long i = 1; i < CFD_N - 1; i++) {
        double sum[5] = {0, 0, 0, 0, 0};
        cfd_direction(1, sum, u + 5 * i, 5, inverse + i, dynamic + i, 1, &along_x[i]);
        cfd_direction(2, sum, u + 5 * i, CFD_ROW, inverse + i, dynamic + i, CFD_N, &y);
        cfd_direction(3, sum, u + 5 * i, 5 * c->plane, inverse + i, dynamic + i, c->plane, &z);
        for (int m = 0; m < 5; m++) {
            r[5 * i + m] = sum[m] - force[5 * i + m];
        }
    }
}

static inline void cfd_right(const struct cfd *c) {
    struct cfd_stencil x[CFD_N];
    for (long i = 1; i < CFD_N - 1; i++) {
        x[i] = cfd_stencil(i, 5);
    }
    cfd_prepare(c);
    for (long k = 1; k < CFD_N - 1; k++) {
        for (long j = cfd_inner_begin(c); j < cfd_inner_end(c); j++) {
            cfd_right_row(c, k, j, x);
        }
    }
}

/* The force that makes the exact solution one. */
static inline void cfd_setup_force(const struct cfd *c) {
    for (long k = 0; k < CFD_N; k++) {
        for (long i = cfd_at(c, k, 0); i < cfd_at(c, k, c->rows); i++) {
            c->force[i] = 0;
        }
    }
    cfd_fill(c, cfd_exact);
    cfd_right(c);
    for (long k = 1; k < CFD_N - 1; k++) {
        for (long j = cfd_inner_begin(c); j < cfd_inner_end(c); j++) {
            const long row = cfd_at(c, k, j);
            for (long i = row + 5; i < row + CFD_ROW - 5; i++) {
                c->force[i] = c->r[i];
            }
        }
    }
}

/* to = scale to + factor from, inside. */
static inline void cfd_add(const struct cfd *c, CFD_REAL *to, double scale, double factor,
                           const CFD_REAL *from) {
    for (long k = 1; k < CFD_N - 1; k++) {
        for (long j = cfd_inner_begin(c); j < cfd_inner_end(c); j++) {
            const long row = cfd_at(c, k, j);
            for (long i = 5; i < CFD_ROW - 5; i++) {
                to[row + i] = scale * to[row + i] + factor * from[row + i];
            }
        }
    }
}

/*
 * A run
 */

/* The norms of r, and of the error of u. */
static inline void cfd_norms(const struct cfd *c, double norms[CFD_NORMS]) {
    for (int m = 0; m < CFD_NORMS; m++) {
        norms[m] = 0;
    }
    for (long k = 1; k < CFD_N - 1; k++) {
        for (long j = cfd_inner_begin(c); j < cfd_inner_end(c); j++) {
            for (long i = 1; i < CFD_N - 1; i++) {
                for (int m = 0; m < 5; m++) {
                    double rest = c->r[cfd_at(c, k, j) + 5 * i + m];
                    double u = c->u[cfd_at(c, k, j) + 5 * i + m];
                    double error = cfd_exact(m, i, c->begin + j, k) - u;
                    norms[m] += rest * rest;
                    norms[5 + m] += error * error;
                }
            }
        }
    }
    cfd_sum(norms, CFD_NORMS);
    for (int m = 0; m < CFD_NORMS; m++) {
        norms[m] = sqrt(norms[m] / ((CFD_N - 2.0) * (CFD_N - 2.0) * (CFD_N - 2.0)));
    }
}

/* Own rows of one of `threads`. Returns 0 if there are fewer than a neighbour wants to see. */
static inline int cfd_setup(struct cfd *c, int threads, int thread) {
    *c = (struct cfd){.begin = npb_begin(CFD_N, threads, thread), .across = c, .across_begin = 1,
                      .across_end = CFD_N - 1};
    c->rows = npb_begin(CFD_N, threads, thread + 1) - c->begin;
    c->plane = (c->rows + 2 * CFD_GHOSTS) * CFD_N;
    c->delay = CFD_AHEAD * (threads - thread - 1);
    return CFD_N / threads >= CFD_GHOSTS;
}

/* Bytes of u, and of r; of the front. */
static inline size_t cfd_bytes(const struct cfd *c) {
    return (size_t)(5 * CFD_N * c->plane) * sizeof(double);
}
static inline size_t cfd_front_bytes(void) { return CFD_N * (CFD_FRONT + 1) * sizeof(double); }

/* What the solver keeps; places before the first are 0. Returns 0 without memory. */
static inline int cfd_allocate_work(struct cfd *c) {
    const int is_cut = !c->is_joint && c->rows < CFD_N;
    const long bundle = (CFD_N + CFD_LAG) * CFD_BUNDLE * CFD_WORK;
    const long cut = is_cut ? (c->delay + 1) * (c->rows + CFD_LAG) * CFD_N * CFD_WORK : 0;
    c->work = calloc((size_t)bundle + 1, sizeof(double));
    c->store = calloc((size_t)cut + 1, sizeof(double));
    return c->work && c->store;
}

/* The private arrays. Returns 0 without memory. */
static inline int cfd_allocate(struct cfd *c) {
    c->force = malloc(cfd_bytes(c));
    c->inverse = malloc(cfd_bytes(c) / 5);
    c->dynamic = malloc(cfd_bytes(c) / 5);
    return c->force && c->inverse && c->dynamic && cfd_allocate_work(c);
}

static inline void cfd_free_work(struct cfd *c) {
    free(c->work);
    free(c->store);
}

static inline void cfd_free(struct cfd *c) {
    cfd_free_work(c);
    free(c->force);
    free(c->inverse);
    free(c->dynamic);
}

static inline void cfd_steps(const struct cfd *c, int steps) {
    for (int step = 0; step < steps; step++) {
        cfd_solve(c);
        cfd_meet(c);
        cfd_correct(c);
        cfd_exchange(c);
        cfd_right(c);
    }
}

/* What all threads do. Returns the seconds that the steps took; in `result` what is compared. */
static inline double cfd_run(const struct cfd *c, double result[CFD_RESULTS]) {
    cfd_setup_force(c);
    cfd_fill(c, cfd_first);
    cfd_right(c);
    cfd_steps(c, 1); /* untimed: memory and caches are then as they stay */
    cfd_fill(c, cfd_first);
    cfd_right(c);
    cfd_sum(result, 1); /* all begin together */
    double began = bench_now();
    cfd_steps(c, CFD_STEPS);
    cfd_sum(result, 1); /* and end so */
    double seconds = bench_now() - began;
    cfd_results(c, result);
    return seconds;
}

static inline int cfd_finish(const double result[CFD_RESULTS], double seconds) {
    const char *const names[3] = {"a residual", "an error", "the integral"};
    int verified = 1;
    for (int i = 0; i < CFD_RESULTS; i++) {
        verified &= npb_is(names[i / 5], result[i], cfd_official[i], 1e-8);
    }
    return npb_finish(cfd_name, CFD_STEPS * cfd_operations, seconds, verified);
}

static inline int cfd_refuse(int threads) {
    return npb_refuse(cfd_name, "each has two rows of the cube or more", threads);
}

#endif
