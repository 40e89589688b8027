// SPDX-License-Identifier: BSD-3-Clause
/*
 * CG (cg.h). FINE and CAST deal rows like cards, and read the elements of a vector that a row needs
 * one by one from the threads that have them. BULK has neighbouring rows, and gathers the whole
 * vector before it multiplies.
 */
#include "cg.h"
#include <bupc_collectivev.h>
#include <upc_collective.h>
#include <upc_relaxed.h>
#include <upcx_team.h>

/* Elements of a vector that a thread has room for. */
#define ROWS ((CG_N + THREADS - 1) / THREADS)

static shared double *vectors[CG_VECTORS];

#if CODING == BULK
static shared double *whole; /* of each thread: room for a vector */

static double cg_sum(double mine) { return bupc_allv_reduce_all(double, mine, UPC_ADD); }

static void cg_multiply(struct cg *cg, enum cg_name vector, enum cg_name result) {
    upcx_team_gather_all(UPCX_TEAM_ALL, whole, vectors[vector], ROWS * sizeof(double),
                         UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
    cg_multiply_rows(&cg->matrix, (double *)&whole[MYTHREAD], cg->own[result]);
}
#else
static double cg_sum(double mine) {
    static shared double parts[2][THREADS]; /* in turns: others may still read the last sum's */
    static int turn;
    turn = 1 - turn;
    parts[turn][MYTHREAD] = mine;
    upc_barrier;
    double sum = 0;
    for (int i = 0; i < THREADS; i++) {
        sum += parts[turn][i];
    }
    return sum;
}

NPB_KERNEL static void multiply_rows(const struct cg_matrix *matrix, shared const double *vector,
                                     cg_vector result) {
    for (long row = 0; row < matrix->rows; row++) {
        double sum = 0;
        for (long i = matrix->start[row]; i < matrix->start[row + 1]; i++) {
            sum += matrix->values[i] * vector[matrix->columns[i]];
        }
        result[row] = sum;
    }
}

static void cg_multiply(struct cg *cg, enum cg_name vector, enum cg_name result) {
    upc_barrier;
    multiply_rows(&cg->matrix, vectors[vector], cg->own[result]);
}
#endif

static void prepare(struct cg *cg) {
    for (int i = 0; i < CG_VECTORS; i++) {
        vectors[i] = upc_all_alloc((size_t)ROWS * THREADS, sizeof(double));
        cg->own[i] = (cg_vector)&vectors[i][MYTHREAD];
    }
#if CODING == BULK
    whole = upc_all_alloc((size_t)ROWS * THREADS * THREADS, sizeof(double));
    cg_make_matrix(&cg->matrix, (long)MYTHREAD * ROWS, 1, ROWS);
#else
    cg_make_matrix(&cg->matrix, MYTHREAD, THREADS, ROWS);
#endif
}

int main(void) {
    struct cg cg;
    prepare(&cg);
    cg_begin(&cg);
    upc_barrier;
    double start = bench_now();
    double zeta = cg_eigenvalue(&cg);
    upc_barrier;
    double seconds = bench_now() - start;
    return MYTHREAD == 0 ? cg_finish(zeta, seconds) : 0;
}
