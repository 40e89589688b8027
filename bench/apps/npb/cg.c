/* SPDX-License-Identifier: BSD-3-Clause */
/* CG (cg.h) with OpenMP: the threads of one region have neighbouring rows of shared vectors. */
#include "cg.h"
#include <omp.h>

enum { LINE = 8 }; /* doubles, apart from which sums of threads are kept */

static double vectors[CG_VECTORS][CG_N];
static double *parts;

static double cg_sum(double mine) {
    static int turn; /* others may still read the last sum's */
#pragma omp threadprivate(turn)
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    turn = 1 - turn;
    double *those = parts + turn * threads * LINE, sum = 0;
    those[me * LINE] = mine;
#pragma omp barrier
    for (int i = 0; i < threads; i++) {
        sum += those[i * LINE];
    }
    return sum;
}

static void cg_multiply(struct cg *cg, enum cg_name vector, enum cg_name result) {
#pragma omp barrier
    cg_multiply_rows(&cg->matrix, vectors[vector], cg->own[result]);
}

static void prepare(struct cg *cg) {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    long first = npb_begin(CG_N, threads, me);
    for (int i = 0; i < CG_VECTORS; i++) {
        cg->own[i] = &vectors[i][first];
    }
    cg_make_matrix(&cg->matrix, first, 1, npb_begin(CG_N, threads, me + 1) - first);
}

int main(void) {
    double zeta = 0, seconds = 0;
    parts = cg_allocate((size_t)omp_get_max_threads() * 2 * LINE, sizeof(double));
#pragma omp parallel
    {
        struct cg cg;
        prepare(&cg);
        cg_begin(&cg);
#pragma omp barrier
        double start = bench_now(), value = cg_eigenvalue(&cg);
#pragma omp barrier
#pragma omp master
        {
            zeta = value;
            seconds = bench_now() - start;
        }
    }
    return cg_finish(zeta, seconds);
}
