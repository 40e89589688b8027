/* SPDX-License-Identifier: BSD-3-Clause */
//@ flags: -O2 -lm
/* Strassen's product of matrices: seven tasks at each level, which write to memory that the task above
 * has allocated, and variables of its stack. */
#include "../inputs/check.h"

#include <math.h>

enum { N = 64, SMALL = 8 };

static double a[N][N], b[N][N], c[N][N];

/* Part of a matrix whose rows are `stride` apart. */
struct part {
    double *at;
    int stride;
};

static struct part quarter(struct part m, int n, int i, int j) {
    return (struct part){m.at + i * n / 2 * m.stride + j * n / 2, m.stride};
}

static struct part sum(struct part x, struct part y, int sign, int n) {
    struct part z = {malloc((size_t)(n * n) * sizeof(double)), n};
    for (int i = 0; i < n * n; i++) {
        z.at[i] = x.at[i / n * x.stride + i % n] + sign * y.at[i / n * y.stride + i % n];
    }
    return z;
}

static void product(struct part x, struct part y, struct part z, int n);

static struct part product_of(struct part x, int frees_x, struct part y, int frees_y, int n) {
    struct part z = {malloc((size_t)(n * n) * sizeof(double)), n};
    product(x, y, z, n);
    if (frees_x) {
        free(x.at);
    }
    if (frees_y) {
        free(y.at);
    }
    return z;
}

static void combine(struct part z, struct part m[7], int n) {
    struct part q[2][2];
    for (int i = 0; i < 4; i++) {
        q[i / 2][i % 2] = quarter(z, 2 * n, i / 2, i % 2);
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double v[7];
            for (int k = 0; k < 7; k++) {
                v[k] = m[k].at[i * n + j];
            }
            q[0][0].at[i * z.stride + j] = v[0] + v[3] - v[4] + v[6];
            q[0][1].at[i * z.stride + j] = v[2] + v[4];
            q[1][0].at[i * z.stride + j] = v[1] + v[3];
            q[1][1].at[i * z.stride + j] = v[0] - v[1] + v[2] + v[5];
        }
    }
}

static void product(struct part x, struct part y, struct part z, int n) {
    if (n <= SMALL) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double value = 0;
                for (int k = 0; k < n; k++) {
                    value += x.at[i * x.stride + k] * y.at[k * y.stride + j];
                }
                z.at[i * z.stride + j] = value;
            }
        }
        return;
    }
    struct part p[2][2], q[2][2], m[7];
    int h = n / 2;
    for (int i = 0; i < 4; i++) {
        p[i / 2][i % 2] = quarter(x, n, i / 2, i % 2);
        q[i / 2][i % 2] = quarter(y, n, i / 2, i % 2);
    }
#pragma omp task shared(m, p, q)
    m[0] = product_of(sum(p[0][0], p[1][1], 1, h), 1, sum(q[0][0], q[1][1], 1, h), 1, h);
#pragma omp task shared(m, p, q)
    m[1] = product_of(sum(p[1][0], p[1][1], 1, h), 1, q[0][0], 0, h);
#pragma omp task shared(m, p, q)
    m[2] = product_of(p[0][0], 0, sum(q[0][1], q[1][1], -1, h), 1, h);
#pragma omp task shared(m, p, q)
    m[3] = product_of(p[1][1], 0, sum(q[1][0], q[0][0], -1, h), 1, h);
#pragma omp task shared(m, p, q)
    m[4] = product_of(sum(p[0][0], p[0][1], 1, h), 1, q[1][1], 0, h);
#pragma omp task shared(m, p, q)
    m[5] = product_of(sum(p[1][0], p[0][0], -1, h), 1, sum(q[0][0], q[0][1], 1, h), 1, h);
#pragma omp task shared(m, p, q)
    m[6] = product_of(sum(p[0][1], p[1][1], -1, h), 1, sum(q[1][0], q[1][1], 1, h), 1, h);
#pragma omp taskwait
    combine(z, m, h);
    for (int i = 0; i < 7; i++) {
        free(m[i].at);
    }
}

int main(void) {
    double worst = 0;
#pragma omp parallel for collapse(2)
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            a[i][j] = (i * 7 + j * 3) % 11 - 5;
            b[i][j] = (i * 5 + j * 2) % 13 - 6;
        }
    }
#pragma omp parallel
#pragma omp single
    product((struct part){a[0], N}, (struct part){b[0], N}, (struct part){c[0], N}, N);
#pragma omp parallel for reduction(max : worst)
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            double value = 0;
            for (int k = 0; k < N; k++) {
                value += a[i][k] * b[k][j];
            }
            worst = fmax(worst, fabs(value - c[i][j]));
        }
    }
    CHECK(worst < 1e-9);
    return result();
}
