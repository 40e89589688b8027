// SPDX-License-Identifier: BSD-3-Clause
//@ mappings: 1x1 3x1 1x4 2x2 5x1
//@ flags: -lm
/* A conjugate-gradient kernel in the manner of NAS CG: a sparse matrix in private CSR rows,
 * vectors in shared blocks, reductions through a shared array. The exact solution is known. */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <upc_relaxed.h>

#define PER_THREAD 60
#define N (PER_THREAD * THREADS)
#define MAX_NZ 5
#define ITERATIONS 400

typedef struct {
    int n_rows;
    int row_start[PER_THREAD + 1];
    int column[PER_THREAD * MAX_NZ];
    double value[PER_THREAD * MAX_NZ];
} sparse_t;

shared [PER_THREAD] double p[PER_THREAD * THREADS];
shared [PER_THREAD] double x[PER_THREAD * THREADS];
shared double partial[THREADS];

static sparse_t A;
double *x_local, *p_local; /* views of this thread's blocks */
double r[PER_THREAD], q[PER_THREAD], b[PER_THREAD];

static double reduce_sum(double mine)
{
    double sum = 0.0;
    int t;
    partial[MYTHREAD] = mine;
    upc_barrier 1;
    for (t = 0; t < THREADS; ++t)
        sum += partial[t];
    upc_barrier 2;
    return sum;
}

static void add_entry(sparse_t *m, int *k, int column, double value)
{
    if (column < 0 || column >= N)
        return;
    m->column[*k] = column;
    m->value[(*k)++] = value;
}

static void make_matrix(sparse_t *m)
{
    int i, k = 0;
    m->n_rows = PER_THREAD;
    for (i = 0; i < PER_THREAD; i++) {
        int row = MYTHREAD * PER_THREAD + i;
        m->row_start[i] = k;
        add_entry(m, &k, row - 7, -0.5);
        add_entry(m, &k, row - 1, -1.0);
        add_entry(m, &k, row, 4.0);
        add_entry(m, &k, row + 1, -1.0);
        add_entry(m, &k, row + 7, -0.5);
    }
    m->row_start[PER_THREAD] = k;
}

static double exact(int i) { return 1.0 + (i % 13) * 0.25; }

static void multiply(const sparse_t *m, shared [PER_THREAD] double *v, double *out)
{
    int i, k;
    for (i = 0; i < m->n_rows; i++) {
        double sum = 0.0;
        for (k = m->row_start[i]; k < m->row_start[i + 1]; k++)
            sum += m->value[k] * v[m->column[k]];
        out[i] = sum;
    }
}

int main(void)
{
    int i, it;
    double rho, rho0, alpha, beta, d;

    make_matrix(&A);
    x_local = (double *) &x[MYTHREAD * PER_THREAD];
    p_local = (double *) &p[MYTHREAD * PER_THREAD];

    upc_forall (i = 0; i < N; i++; &p[i])
        p[i] = exact(i);
    upc_barrier;
    multiply(&A, p, b);
    upc_barrier;

    d = 0.0;
    for (i = 0; i < PER_THREAD; i++) {
        x_local[i] = 0.0;
        r[i] = p_local[i] = b[i];
        d += r[i] * r[i];
    }
    rho = rho0 = reduce_sum(d);

    for (it = 0; it < ITERATIONS && rho > 1e-24 * rho0; it++) {
        multiply(&A, p, q);
        for (d = 0.0, i = 0; i < PER_THREAD; i++)
            d += p_local[i] * q[i];
        alpha = rho / reduce_sum(d);
        for (d = 0.0, i = 0; i < PER_THREAD; i++) {
            x_local[i] += alpha * p_local[i];
            r[i] -= alpha * q[i];
            d += r[i] * r[i];
        }
        beta = rho;
        rho = reduce_sum(d);
        beta = rho / beta;
        for (i = 0; i < PER_THREAD; i++)
            p_local[i] = r[i] + beta * p_local[i];
        upc_barrier;
    }

    if (MYTHREAD == THREADS - 1) {
        double worst = 0.0;
        for (i = 0; i < N; i++) {
            double e = fabs(x[i] - exact(i));
            if (e > worst)
                worst = e;
        }
        if (!(worst < 1e-9)) {
            printf("after %d iterations: error %g\n", it, worst);
            upc_global_exit(1);
        }
        printf("ok\n");
    }
    return 0;
}
