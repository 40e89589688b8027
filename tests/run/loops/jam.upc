// SPDX-License-Identifier: BSD-3-Clause
// Loops around loops that add up, with several iterations at once: the same as one after the other.
//@ mappings: 1x1 3x1 1x3 2:2x1
//@ flags: -O2
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <upc_relaxed.h>

#define N 21
#define M 37

typedef struct { double re, im; } pair;
typedef struct { union { double real; long bits; }; char tag; } either;

shared [N] double a[M * THREADS][N], c[M * THREADS][N];
shared [M] double b[N * THREADS][M], d[M * THREADS][M], e[M * THREADS][M];
shared [M] double flat[M * M * THREADS], flatter[N * M * THREADS];
shared double f[N][M * THREADS], h[M][M * THREADS];
shared [M] pair z[N * THREADS][M], y[M * THREADS][M];
shared [M] either v[M * THREADS][M];
shared [M] int q[N * THREADS][M], g[M * THREADS][M];
strict shared [M] double w[M * THREADS][M];
static double line[M];
static int calls;
static double tick(double x) { calls++; return x + calls; }

// The kernels, by a loop that the compiler knows to count, and by one that it does not.
#define COUNTED(k, lo, hi) for (k = (lo); k < (hi); k++)
#define OPAQUE(k, lo, hi) for (k = (lo) - 1; ++k < (hi);)
#define KERNELS(of, LOOP)                                                                               \
    static double of##_sum(int n, int m) {                                                              \
        int i, j, k; double s = -1;                                                                     \
        upc_forall (i = 0; i < M; i++; &d[i][0])                                                        \
            for (j = 0; j < n; j++) {                                                                   \
                s = 0;                                                                                  \
                LOOP (k, 0, m) s += a[i][k] * b[k][j];                                                  \
                d[i][j] = s;                                                                            \
            }                                                                                           \
        return s + j;                                                                                   \
    }                                                                                                   \
    static double of##_place(int n, int m) {                                                            \
        int i, k;                                                                                       \
        upc_forall (i = 0; i < M; i++; &d[i][0])                                                        \
            for (int j = 2; j <= n - 1; j++) {                                                          \
                d[i][j] = j;                                                                            \
                LOOP (k, 1, m) d[i][j] += a[i][k] * b[k][j];                                            \
            }                                                                                           \
        return 0;                                                                                       \
    }                                                                                                   \
    static double of##_kept(int n, int m) {                                                             \
        int i, j, k;                                                                                    \
        upc_forall (i = 0; i < M; i++; &d[i][0])                                                        \
            for (j = 0; j < n; ++j)                                                                     \
                LOOP (k, 0, m) d[i][j] = d[i][j] - a[i][k] * b[k][j];                                   \
        return 0;                                                                                       \
    }                                                                                                   \
    static double of##_cyclic(int n, int m) {                                                           \
        unsigned i, j, k; double s, t;                                                                  \
        upc_forall (i = 0; i < M; i++; i)                                                               \
            for (j = 0; j < (unsigned)(n < 0 ? 0 : n); j += 1) {                                        \
                double u = 1, v = j;                                                                    \
                s = t = 0; s = u;                                                                       \
                LOOP (k, 0u, (unsigned)(m < 0 ? 0 : m)) { double x = f[k][j]; s += a[i][k] * x; u += x; }  \
                e[i][j] = s + v; h[i][j] = u;                                                           \
            }                                                                                           \
        return 0;                                                                                       \
    }                                                                                                   \
    static double of##_least(int n, int m) {                                                            \
        long i, j, k;                                                                                   \
        upc_forall (i = 0; i < M; i++; &d[i][0])                                                        \
            for (j = 0; n > j; j++) {                                                                   \
                double least = 1e9; int at = -1;                                                        \
                LOOP (k, 0, m) {                                                                        \
                    at = a[i][k] + b[k][j] < least ? (int)k : at;                                       \
                    least = fmin(least, a[i][k] + fabs(b[k][j]));                                       \
                }                                                                                       \
                d[i][j] = least; e[i][j] = at;                                                          \
            }                                                                                           \
        return 0;                                                                                       \
    }                                                                                                   \
    static double of##_pairs(int n, int m) {                                                            \
        int i, j, k;                                                                                    \
        upc_forall (i = 0; i < M; i++; &y[i][0])                                                        \
            for (j = 0; j < n; j++) {                                                                   \
                y[i][j].re = 0; y[i][j].im = 0;                                                         \
                LOOP (k, 0, m) {                                                                        \
                    y[i][j].re += a[i][k] * z[k][j].re - c[i][k] * z[k][j].im;                          \
                    y[i][j].im += a[i][k] * z[k][j].im + c[i][k] * z[k][j].re;                          \
                }                                                                                       \
                d[i][j] = y[i][j].re; e[i][j] = y[i][j].im;                                             \
            }                                                                                           \
        return 0;                                                                                       \
    }                                                                                                   \
    static double of##_ints(int n, int m) {                                                             \
        int i, j, k;                                                                                    \
        upc_forall (i = 0; i < M; i++; &g[i][0])                                                        \
            for (j = 0; j < n; j++) {                                                                   \
                unsigned char s = 3;                                                                    \
                LOOP (k, 0, m) s += q[k][j] * i % 7;                                                    \
                g[i][j] = s; d[i][j] = g[i][j];                                                         \
            }                                                                                           \
        return 0;                                                                                       \
    }                                                                                                   \
    static double of##_private(int n, int m) {                                                          \
        int j, k; double sum = 0;                                                                       \
        for (j = 0; j < n; j++) {                                                                       \
            line[j] = 0;                                                                                \
            LOOP (k, 0, m) line[j] += b[k][j];                                                          \
        }                                                                                               \
        for (j = 0; j < n; j++) sum += line[j] * (j + 1);                                               \
        return sum;                                                                                     \
    }                                                                                                   \
    static double of##_flat(int n, int m) {                                                             \
        int i, j, k; double s;                                                                          \
        upc_forall (i = 0; i < M; i++; &flat[i * M])                                                    \
            for (j = 0; j < n; j++) {                                                                   \
                s = 0;                                                                                  \
                LOOP (k, 0, m) s += a[i][k] * flatter[k * M + j];                                       \
                flat[M * i + j] = s; d[i][j] = s;                                                       \
            }                                                                                           \
        return 0;                                                                                       \
    }                                                                                                   \
    static double of##_dots(int n, int m) {                                                             \
        int i, j, k; double s;                                                                          \
        upc_forall (i = 0; i < M; i++; &d[i][0])                                                        \
            for (j = 0; j < n; j++) {                                                                   \
                s = 0;                                                                                  \
                LOOP (k, 0, m) { double x = a[i][k] - c[j][k]; s += x * x; }                            \
                d[i][j] = sqrt(s);                                                                      \
            }                                                                                           \
        return 0;                                                                                       \
    }                                                                                                   \
    static double of##_pragma(int n, int m) {                                                           \
        int i, j, k;                                                                                    \
        upc_forall (i = 0; i < M; i++; &d[i][0])                                                        \
            _Pragma("GCC unroll 2") for (j = 0; j < n; j++) {                                           \
                double s = 0;                                                                           \
                LOOP (k, 0, m) s += a[i][k] * b[k][j];                                                  \
                d[i][j] = s;                                                                            \
            }                                                                                           \
        return 0;                                                                                       \
    }                                                                                                   \
    static double of##_enclosed(int n, int m) {                                                         \
        int i, j, k;                                                                                    \
        upc_forall (i = 0; i < M; i++; &y[i][0])                                                        \
            for (j = 0; j < n; j++) {                                                                   \
                y[i][j].re = j;                                                                         \
                LOOP (k, 0, m) {                                                                        \
                    y[i][j].re += a[i][k] * b[k][j];                                                    \
                    (y[i][j]).re = (y[i][j].re) / 2 + ((y[i][j]).re);                                   \
                }                                                                                       \
                d[i][j] = y[i][j].re;                                                                   \
            }                                                                                           \
        return 0;                                                                                       \
    }                                                                                                   \
    static double of##_either(int n, int m) {                                                           \
        int i, j, k;                                                                                    \
        upc_forall (i = 0; i < M; i++; &v[i][0])                                                        \
            for (j = 0; j < n; j++) {                                                                   \
                double s = 0;                                                                           \
                v[i][j].real = 1;                                                                       \
                LOOP (k, 0, m) { v[i][j].real += a[i][k] * b[k][j]; s += v[i][j].bits >> 50; }          \
                d[i][j] = s;                                                                            \
            }                                                                                           \
        return 0;                                                                                       \
    }                                                                                                   \
    static double of##_names(int n, int m) {                                                            \
        int i, j, k; double sum0 = 0, sum1 = 0;                                                         \
        upc_forall (i = 0; i < M; i++; &d[i][0])                                                        \
            for (j = 0; j < n; j++) {                                                                   \
                sum0 = j; sum1 = 1;                                                                     \
                LOOP (k, 0, m) {                                                                        \
                    sum0 += b[k][j]; d[i][j] += a[i][k] * b[k][j]; sum1 -= sum0; e[i][j] += sum1;       \
                }                                                                                       \
                d[i][j] += sum0; e[i][j] -= sum1;                                                       \
            }                                                                                           \
        return sum0 + sum1;                                                                             \
    }                                                                                                   \
    /* Iterations that know of each other. */                                                           \
    static double of##_carried(int n, int m) {                                                          \
        int i, j, k; double s = 1;                                                                      \
        upc_forall (i = 0; i < M; i++; &d[i][0])                                                        \
            for (j = 0; j < n; j++) {                                                                   \
                LOOP (k, 0, m) s = s * .5 + a[i][k] * b[k][j];                                          \
                d[i][j] = s;                                                                            \
            }                                                                                           \
        return s;                                                                                       \
    }                                                                                                   \
    static double of##_running(int n, int m) {                                                          \
        int i, j, k; double s = 1;                                                                      \
        upc_forall (i = 0; i < M; i++; &d[i][0])                                                        \
            for (j = 0; j < n; j++) {                                                                   \
                s += j;                                                                                 \
                LOOP (k, 0, m) s += a[i][k] * b[k][j];                                                  \
                d[i][j] = s;                                                                            \
            }                                                                                           \
        return s;                                                                                       \
    }                                                                                                   \
    static double of##_in_place(int n, int m) {                                                         \
        int i, j, k;                                                                                    \
        upc_forall (i = 0; i < M; i++; &d[i][0])                                                        \
            for (j = 0; j < n; j++) {                                                                   \
                double s = 0;                                                                           \
                LOOP (k, 0, m) s += d[i][k] * b[k][j];                                                  \
                d[i][j] = s;                                                                            \
            }                                                                                           \
        return 0;                                                                                       \
    }                                                                                                   \
    static double of##_shifted(int n, int m) {                                                          \
        int i, j, k;                                                                                    \
        upc_forall (i = 0; i < M; i++; &d[i][0])                                                        \
            for (j = 1; j < n; j++) {                                                                   \
                double s = d[i][j - 1] / 2;                                                             \
                LOOP (k, 0, m) s += a[i][k] * b[k][j];                                                  \
                d[i][j] = s;                                                                            \
            }                                                                                           \
        return 0;                                                                                       \
    }                                                                                                   \
    static double of##_triangle(int n, int m) {                                                         \
        int i, j, k;                                                                                    \
        upc_forall (i = 0; i < M; i++; &d[i][0])                                                        \
            for (j = 0; j < n; j++) {                                                                   \
                double s = m;                                                                           \
                LOOP (k, 0, j < m ? j : m) s += a[i][k] * b[k][j];                                      \
                d[i][j] = s;                                                                            \
            }                                                                                           \
        return 0;                                                                                       \
    }                                                                                                   \
    static double of##_counts(int n, int m) {                                                           \
        int i, j, k; calls = 0;                                                                         \
        upc_forall (i = 0; i < M; i++; &d[i][0])                                                        \
            for (j = 0; j < n; j++) {                                                                   \
                double s = 0;                                                                           \
                LOOP (k, 0, m) s += tick(b[k][j]) * a[i][k];                                            \
                d[i][j] = s;                                                                            \
            }                                                                                           \
        return calls;                                                                                   \
    }                                                                                                   \
    static double of##_strict(int n, int m) {                                                           \
        int i, j, k;                                                                                    \
        upc_forall (i = 0; i < M; i++; &d[i][0])                                                        \
            for (j = 0; j < n; j++) {                                                                   \
                double s = 0;                                                                           \
                LOOP (k, 0, m) s += a[i][k] * b[k][j];                                                  \
                w[i][j] = s; d[i][j] = w[i][j];                                                         \
            }                                                                                           \
        return 0;                                                                                       \
    }                                                                                                   \
    static double of##_alias(int n, int m) {                                                            \
        int i, j, k;                                                                                    \
        upc_forall (i = 0; i < M; i++; &d[i][0]) {                                                      \
            double *row = (double *)&d[i][0];                                                           \
            for (j = 0; j < n; j++) {                                                                   \
                double s = 0;                                                                           \
                LOOP (k, 0, m) s += row[k] * b[k][j];                                                   \
                d[i][j] = s;                                                                            \
            }                                                                                           \
        }                                                                                               \
        return 0;                                                                                       \
    }                                                                                                   \
    static double of##_outer(int n, int m) {                                                            \
        int i = 0, j, k; double s = 5, last = 0;                                                        \
        for (j = 3; j < n; j++) {                                                                       \
            last = j * 2;                                                                               \
            s = last;                                                                                   \
            LOOP (k, 0, m) s -= a[MYTHREAD][k] * b[k][j];                                               \
            line[j] = s;                                                                                \
        }                                                                                               \
        return s + 100 * last + 10000 * j + 1e6 * i + line[n > 3 ? n - 1 : 0];                          \
    }

KERNELS(counted, COUNTED)
KERNELS(opaque, OPAQUE)

#define KERNEL(name) {#name, counted_##name, opaque_##name}
static const struct { const char *name; double (*counted)(int, int), (*opaque)(int, int); } kernels[] = {
    KERNEL(sum), KERNEL(place), KERNEL(kept), KERNEL(cyclic), KERNEL(least), KERNEL(pairs),
    KERNEL(ints), KERNEL(flat), KERNEL(dots), KERNEL(private), KERNEL(carried), KERNEL(running),
    KERNEL(in_place), KERNEL(shifted), KERNEL(triangle), KERNEL(counts), KERNEL(strict),
    KERNEL(alias), KERNEL(outer), KERNEL(pragma), KERNEL(enclosed), KERNEL(either),
    KERNEL(names),
};
enum { N_KERNELS = sizeof kernels / sizeof *kernels };

static double results[2][4][M][M];

static void fill(void) {
    upc_barrier;
    for (int i = MYTHREAD; i < M; i += THREADS)
        for (int j = 0; j < M; j++) {
            if (j < N) a[i][j] = (i * 7 + j * 3) % 11 - 4, c[i][j] = (i + j) % 5 - 1;
            if (i < N) {
                b[i][j] = flatter[i * M + j] = (i * 5 + j) % 9 - 3, f[i][j] = i - j, q[i][j] = i * j % 13;
                z[i][j].re = i % 4, z[i][j].im = j % 6 - 2;
            }
            d[i][j] = flat[i * M + j] = i + j, e[i][j] = h[i][j] = 0, g[i][j] = -1;
            y[i][j].re = y[i][j].im = 0, w[i][j] = 0;
        }
    memset(line, 0, sizeof line);
    upc_barrier;
}

static double run(double (*kernel)(int, int), int n, int m, double (*to)[M][M]) {
    fill();
    double value = kernel(n, m);
    upc_barrier;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            to[0][i][j] = d[i][j], to[1][i][j] = e[i][j], to[2][i][j] = h[i][j], to[3][i][j] = g[i][j];
    return value;
}

int main(void) {
    static const int sizes[][2] = {{M, N}, {M - 1, N - 1}, {M - 2, 16}, {35, 15}, {3, N}, {4, N}, {5, 17},
                                   {0, N}, {-2, N}, {M, 0}, {M, -1}, {M, 1}};
    int n_wrong = 0;
    for (int k = 0; k < N_KERNELS; k++)
        for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            int n = sizes[s][0], m = sizes[s][1];
            double counted = run(kernels[k].counted, n, m, results[0]);
            double opaque = run(kernels[k].opaque, n, m, results[1]);
            if (counted != opaque || memcmp(results[0], results[1], sizeof results[0]) != 0) {
                printf("%d: %s of %d by %d: %g, not %g\n", MYTHREAD, kernels[k].name, n, m, counted, opaque);
                n_wrong++;
            }
        }
    upc_barrier;
    if (MYTHREAD == 0 && n_wrong == 0) printf("ok\n");
    return n_wrong != 0;
}
