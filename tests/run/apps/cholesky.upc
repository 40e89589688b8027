// SPDX-License-Identifier: BSD-3-Clause
//@ static-threads: 3
//@ mappings: 3x1 1x3
//@ flags: -lm
/* Tiled Cholesky factorisation of a four-dimensional shared array, one tile to a block. */
#include <stdio.h>
#include <string.h>
#include <math.h>
#include <upc_relaxed.h>

#define T 5
#define NB 8
#define N (T * NB)

typedef double tile_t[NB][NB];
shared [NB * NB] double A[T][T][NB][NB];
shared int errors;

#define OWNER(i, j) (((i) * T + (j)) % THREADS)

static double original(int i, int j)
{
    return i == j ? N + 1.0 : 1.0 / (1 + (i > j ? i - j : j - i));
}

static void get(double (*to)[NB], int i, int j)
{
    upc_memget(to, &A[i][j][0][0], sizeof(tile_t));
}

static void factor(double (*a)[NB])
{
    for (int k = 0; k < NB; k++) {
        a[k][k] = sqrt(a[k][k]);
        for (int i = k + 1; i < NB; i++)
            a[i][k] /= a[k][k];
        for (int j = k + 1; j < NB; j++) {
            a[k][j] = 0;
            for (int i = j; i < NB; i++)
                a[i][j] -= a[i][k] * a[j][k];
        }
    }
}

static void solve(double (*a)[NB], tile_t l)
{
    for (int i = 0; i < NB; i++)
        for (int j = 0; j < NB; j++) {
            for (int k = 0; k < j; k++)
                a[i][j] -= a[i][k] * l[j][k];
            a[i][j] /= l[j][j];
        }
}

static void update(double (*c)[NB], tile_t a, tile_t b)
{
    for (int i = 0; i < NB; i++)
        for (int j = 0; j < NB; j++)
            for (int k = 0; k < NB; k++)
                c[i][j] -= a[i][k] * b[j][k];
}

int main(void)
{
    int i, j, k;
    tile_t left, right;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            if (OWNER(i / NB, j / NB) == MYTHREAD)
                A[i / NB][j / NB][i % NB][j % NB] = original(i, j);
    upc_barrier;
    for (k = 0; k < T; k++) {
        if (MYTHREAD == upc_threadof(&A[k][k][0][0]))
            factor((double (*)[NB])&A[k][k][0][0]);
        upc_barrier;
        get(left, k, k);
        for (i = k + 1; i < T; i++)
            if (upc_threadof(A[i][k]) == MYTHREAD)
                solve((double (*)[NB])A[i][k], left);
        upc_barrier;
        for (i = k + 1; i < T; i++)
            for (j = k + 1; j <= i; j++)
                if (OWNER(i, j) == MYTHREAD) {
                    get(left, i, k);
                    get(right, j, k);
                    update((double (*)[NB])&A[i][j], left, right);
                }
        upc_barrier;
    }
    /* L times its transpose */
    for (i = MYTHREAD; i < N; i += THREADS)
        for (j = 0; j <= i; j++) {
            double sum = 0;
            for (k = 0; k <= j; k++)
                sum += A[i / NB][k / NB][i % NB][k % NB] * A[j / NB][k / NB][j % NB][k % NB];
            if (!(fabs(sum - original(i, j)) < 1e-10)) {
                printf("(%d, %d) is %g, expected %g\n", i, j, sum, original(i, j));
                upc_global_exit(1);
            }
        }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("ok\n");
    return 0;
}
