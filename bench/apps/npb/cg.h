/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CG, the conjugate gradient method: the smallest eigenvalue of a large sparse matrix by inverse
 * iteration. Threads have rows of the matrix and the same elements of all vectors; who includes this
 * says how sums are formed and how the matrix is multiplied by a vector, of which all rows need
 * elements of other threads.
 */
#ifndef NPB_CG_H
#define NPB_CG_H

#include "cg_matrix.h"
#include "npb.h"

enum { CG_ITERATIONS = 25 }; /* of one solution */

enum cg_name { CG_X, CG_Z, CG_P, CG_Q, CG_R, CG_VECTORS };

/* A thread's part of a vector has `matrix.rows` elements. */
typedef NPB_OWN double *cg_vector;

struct cg {
    struct cg_matrix matrix;
    cg_vector own[CG_VECTORS];
};

/* Of the including program. Other threads read elements of the vector until the next sum. */
static double cg_sum(double mine);
static void cg_multiply(struct cg *cg, enum cg_name vector, enum cg_name result);

NPB_KERNEL static double cg_dot_own(long n, cg_vector a, cg_vector b) {
    double sum = 0;
    for (long i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static double cg_dot(struct cg *cg, enum cg_name a, enum cg_name b) {
    return cg_sum(cg_dot_own(cg->matrix.rows, cg->own[a], cg->own[b]));
}

/* b = factor b + a */
NPB_KERNEL static void cg_add(long n, cg_vector a, double factor, cg_vector b) {
    for (long i = 0; i < n; i++) {
        b[i] = a[i] + factor * b[i];
    }
}

/* One step of length alpha: returns the square of the new residual. */
NPB_KERNEL static double cg_step(long n, double alpha, struct cg *cg) {
    double sum = 0;
    cg_vector z = cg->own[CG_Z], p = cg->own[CG_P], q = cg->own[CG_Q], r = cg->own[CG_R];
    for (long i = 0; i < n; i++) {
        z[i] += alpha * p[i];
        r[i] -= alpha * q[i];
        sum += r[i] * r[i];
    }
    return sum;
}

/* Begins with the solution 0, whose residual is x. */
NPB_KERNEL static void cg_start(long n, struct cg *cg) {
    cg_vector x = cg->own[CG_X], z = cg->own[CG_Z], p = cg->own[CG_P], r = cg->own[CG_R];
    for (long i = 0; i < n; i++) {
        z[i] = 0;
        r[i] = p[i] = x[i];
    }
}

NPB_KERNEL static void cg_scale(long n, cg_vector from, double factor, cg_vector to) {
    for (long i = 0; i < n; i++) {
        to[i] = factor * from[i];
    }
}

/* Solves A z = x, and returns the norm of x - A z. */
static double cg_solve(struct cg *cg) {
    const long rows = cg->matrix.rows;
    cg_start(rows, cg);
    double rho = cg_dot(cg, CG_R, CG_R);
    for (int i = 0; i < CG_ITERATIONS; i++) {
        cg_multiply(cg, CG_P, CG_Q);
        double alpha = rho / cg_dot(cg, CG_P, CG_Q), before = rho;
        rho = cg_sum(cg_step(rows, alpha, cg));
        cg_add(rows, cg->own[CG_R], rho / before, cg->own[CG_P]);
    }
    cg_multiply(cg, CG_Z, CG_R);
    cg_add(rows, cg->own[CG_X], -1, cg->own[CG_R]);
    return sqrt(cg_dot(cg, CG_R, CG_R));
}

/* Before what is timed: one solution, by which all memory is known to its threads. */
static void cg_begin(struct cg *cg) {
    for (long i = 0; i < cg->matrix.rows; i++) {
        cg->own[CG_X][i] = 1;
    }
    cg_solve(cg);
}

/* Solves, and makes the normed solution the next right side; returns the estimate. */
static double cg_iterate(struct cg *cg) {
    cg_solve(cg);
    double xz = cg_dot(cg, CG_X, CG_Z), norm = 1 / sqrt(cg_dot(cg, CG_Z, CG_Z));
    cg_scale(cg->matrix.rows, cg->own[CG_Z], norm, cg->own[CG_X]);
    return CG_SHIFT + 1 / xz;
}

/* What is timed. */
static double cg_eigenvalue(struct cg *cg) {
    double zeta = 0;
    for (int i = 0; i < CG_OUTER; i++) {
        zeta = cg_iterate(cg);
    }
    return zeta;
}

static inline int cg_finish(double zeta, double seconds) {
    double entries = CG_NONZEROS * (CG_NONZEROS + 1);
    double operations = 2.0 * CG_OUTER * CG_N * (3 + entries + 25 * (5 + entries) + 3);
    return npb_finish("cg", operations, seconds, npb_is("zeta", zeta, CG_ZETA, 1e-10));
}

#endif
