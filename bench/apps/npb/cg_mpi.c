/* SPDX-License-Identifier: BSD-3-Clause */
/* CG (cg.h) with MPI: ranks have neighbouring rows, and gather a vector before they multiply. */
#include "cg.h"
#include "npb_mpi.h"

static double *whole;
static int most; /* rows of a rank */

static double cg_sum(double mine) {
    double sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

static void cg_multiply(struct cg *cg, enum cg_name vector, enum cg_name result) {
    MPI_Allgather(cg->own[vector], most, MPI_DOUBLE, whole, most, MPI_DOUBLE, MPI_COMM_WORLD);
    cg_multiply_rows(&cg->matrix, whole, cg->own[result]);
}

static void prepare(struct cg *cg) {
    most = (CG_N + ranks - 1) / ranks;
    for (int i = 0; i < CG_VECTORS; i++) {
        cg->own[i] = cg_allocate((size_t)most, sizeof(double));
    }
    whole = cg_allocate((size_t)most * (size_t)ranks, sizeof(double));
    cg_make_matrix(&cg->matrix, (long)rank * most, 1, most);
}

int main(int argc, char **argv) {
    struct cg cg;
    npb_mpi_start(&argc, &argv);
    prepare(&cg);
    cg_begin(&cg);
    double start = npb_mpi_begin();
    double zeta = cg_eigenvalue(&cg);
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = bench_now() - start;
    return npb_mpi_end(rank == 0 ? cg_finish(zeta, seconds) : 0);
}
