/* SPDX-License-Identifier: BSD-3-Clause */
//@ flags: -O2 -lm
/* Conjugate gradients with a sparse matrix, all in one region: loops and reductions in functions that
 * the threads of the region call together, scalars that one thread resets. */
#include "../inputs/check.h"

#include <math.h>

enum { N = 900, EACH = 9, STEPS = 30 };

static int column[N][EACH];
static double element[N][EACH], x[N], r[N], p[N], q[N];
static double rho, rho_before, alpha, product;

static void make(void) {
#pragma omp for
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < EACH; k++) {
            column[i][k] = (i + (k - EACH / 2) * 37 + 2 * N) % N;
            element[i][k] = k == EACH / 2 ? 20 : -1.0 / (1 + abs(k - EACH / 2));
        }
        x[i] = 0;
        r[i] = p[i] = 1 + i % 5;
    }
}

static void multiply(double *restrict to, const double *from) {
#pragma omp for schedule(static)
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int k = 0; k < EACH; k++) {
            sum += element[i][k] * from[column[i][k]];
        }
        to[i] = sum;
    }
}

static void dot(const double *a, const double *b, double *result) {
#pragma omp single
    product = 0;
#pragma omp for reduction(+ : product)
    for (int i = 0; i < N; i++) {
        product += a[i] * b[i];
    }
#pragma omp single
    *result = product;
}

static void step(void) {
    double beta;
    multiply(q, p);
    dot(p, q, &alpha);
    double a = rho / alpha;
#pragma omp for nowait
    for (int i = 0; i < N; i++) {
        x[i] += a * p[i];
    }
#pragma omp for
    for (int i = 0; i < N; i++) {
        r[i] -= a * q[i];
    }
#pragma omp single
    rho_before = rho;
    dot(r, r, &rho);
    beta = rho / rho_before;
#pragma omp for
    for (int i = 0; i < N; i++) {
        p[i] = r[i] + beta * p[i];
    }
}

int main(void) {
    double error = 0;
#pragma omp parallel
    {
        make();
        dot(r, r, &rho);
        for (int i = 0; i < STEPS; i++) {
            step();
        }
        multiply(q, x);
#pragma omp for reduction(max : error)
        for (int i = 0; i < N; i++) {
            error = fmax(error, fabs(q[i] - (1 + i % 5)));
        }
    }
    CHECK(error < 1e-9);
    return result();
}
