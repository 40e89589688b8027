/* SPDX-License-Identifier: BSD-3-Clause */
//@ flags: -O2 -lm
/* A multigrid solver of Poisson's equation in a cube: loops over three dimensions, collapsed, on grids
 * of several sizes that recursive calls allocate, a region for each loop. */
#include "../inputs/check.h"

#include <math.h>

enum { N = 16 };

#define AT(a, n, i, j, k) (a)[((size_t)(i) * ((n) + 1) + (j)) * ((n) + 1) + (k)]

static double *grid(int n) { return calloc((size_t)(n + 1) * (n + 1) * (n + 1), sizeof(double)); }

static double neighbours(const double *u, int n, int i, int j, int k) {
    return AT(u, n, i - 1, j, k) + AT(u, n, i + 1, j, k) + AT(u, n, i, j - 1, k) +
           AT(u, n, i, j + 1, k) + AT(u, n, i, j, k - 1) + AT(u, n, i, j, k + 1);
}

/* Red points, then black ones. */
static void smooth(double *u, const double *f, int n) {
    for (int colour = 0; colour < 2; colour++) {
#pragma omp parallel for collapse(3) schedule(static)
        for (int i = 1; i < n; i++) {
            for (int j = 1; j < n; j++) {
                for (int k = 1; k < n; k++) {
                    if ((i + j + k) % 2 == colour) {
                        AT(u, n, i, j, k) =
                            (neighbours(u, n, i, j, k) + AT(f, n, i, j, k)) / 6;
                    }
                }
            }
        }
    }
}

static double residual(const double *u, const double *f, double *r, int n) {
    double worst = 0;
#pragma omp parallel for collapse(2) reduction(max : worst)
    for (int i = 1; i < n; i++) {
        for (int j = 1; j < n; j++) {
            for (int k = 1; k < n; k++) {
                double value =
                    AT(f, n, i, j, k) + neighbours(u, n, i, j, k) - 6 * AT(u, n, i, j, k);
                AT(r, n, i, j, k) = value;
                worst = fmax(worst, fabs(value));
            }
        }
    }
    return worst;
}

/* The mean of the points around one, times 4: the coarse grid's distance is twice the fine one's. */
static void restrict_to(double *coarse, const double *fine, int n) {
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (int i = 1; i < n; i++) {
        for (int j = 1; j < n; j++) {
            for (int k = 1; k < n; k++) {
                double sum = 0;
                for (int d = 0; d < 27; d++) {
                    int a = d / 9 - 1, b = d / 3 % 3 - 1, c = d % 3 - 1;
                    double weight = 1.0 / (1 << (abs(a) + abs(b) + abs(c)));
                    sum += weight * AT(fine, 2 * n, 2 * i + a, 2 * j + b, 2 * k + c);
                }
                AT(coarse, n, i, j, k) = sum / 8 * 4;
            }
        }
    }
}

static void prolong(double *fine, const double *coarse, int n) {
#pragma omp parallel for collapse(3)
    for (int i = 1; i < 2 * n; i++) {
        for (int j = 1; j < 2 * n; j++) {
            for (int k = 1; k < 2 * n; k++) {
                double sum = 0;
                for (int d = 0; d < 8; d++) {
                    sum += AT(coarse, n, (i + (d & 1)) / 2, (j + (d >> 1 & 1)) / 2,
                              (k + (d >> 2)) / 2);
                }
                AT(fine, 2 * n, i, j, k) += sum / 8;
            }
        }
    }
}

static void cycle(double *u, const double *f, int n) {
    for (int i = 0; i < (n == 2 ? 20 : 2); i++) {
        smooth(u, f, n);
    }
    if (n > 2) {
        double *r = grid(n), *coarse = grid(n / 2), *correction = grid(n / 2);
        residual(u, f, r, n);
        restrict_to(coarse, r, n / 2);
        cycle(correction, coarse, n / 2);
        prolong(u, correction, n / 2);
        free(r), free(coarse), free(correction);
        smooth(u, f, n);
        smooth(u, f, n);
    }
}

int main(void) {
    double *u = grid(N), *f = grid(N), *r = grid(N);
    AT(f, N, N / 2, N / 3, N / 2) = 1;
    AT(f, N, N / 4, N / 2, 3) = -1;
    double first = residual(u, f, r, N), last = first;
    for (int i = 0; i < 5; i++) {
        cycle(u, f, N);
        double now = residual(u, f, r, N);
        CHECK(now < 0.5 * last);
        last = now;
    }
    CHECK(first == 1 && last < 1e-3);
    return result();
}
