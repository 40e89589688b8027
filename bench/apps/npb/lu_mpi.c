/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * LU by MPI: the rows and ghosts of lu.upc. Messages take the place of signals.
 */
#include "lu.h"
#include <mpi.h>

static int below = MPI_PROC_NULL, above = MPI_PROC_NULL; /* the neighbours, at small and large y */
static MPI_Datatype ghosts; /* rows that a neighbour sees, of all planes */

static void lu_meet(const struct lu *l) { (void)l; }

static void lu_exchange(const struct lu *l) {
    MPI_Sendrecv(l->u + lu_at(l, 0, 0), 1, ghosts, below, 0, l->u + lu_at(l, 0, l->rows), 1, ghosts,
                 above, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(l->u + lu_at(l, 0, l->rows - LU_GHOSTS), 1, ghosts, above, 1,
                 l->u + lu_at(l, 0, -LU_GHOSTS), 1, ghosts, below, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void lu_await(const struct lu *l, long k, int from) {
    double *ghost = l->r + lu_at(l, k, from < 0 ? -1 : l->rows);
    MPI_Recv(ghost, LU_ROW, MPI_DOUBLE, from < 0 ? below : above, 2, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
}

static void lu_pass(const struct lu *l, long k, int from) {
    const double *row = l->r + lu_at(l, k, from < 0 ? l->rows - 1 : 0);
    MPI_Send(row, LU_ROW, MPI_DOUBLE, from < 0 ? above : below, 2, MPI_COMM_WORLD);
}

static void lu_sum(double *values, int n) {
    MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    struct lu l;
    double result[11] = {0};
    int rank, size, code = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (!lu_setup(&l, size, rank)) {
        code = rank == 0 ? lu_refuse(size) : 2;
        MPI_Finalize();
        return code;
    }
    below = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    above = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    l.u = malloc((size_t)(LU_N * l.plane) * sizeof(double));
    l.r = malloc((size_t)(LU_N * l.plane) * sizeof(double));
    if (!l.u || !l.r || !lu_allocate(&l)) {
        fprintf(stderr, "npb: no memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Type_vector(LU_N, LU_GHOSTS * LU_ROW, (int)l.plane, MPI_DOUBLE, &ghosts);
    MPI_Type_commit(&ghosts);
    double seconds = lu_run(&l, result);
    if (rank == 0) {
        code = lu_finish(result, seconds);
    }
    free(l.u);
    free(l.r);
    lu_free(&l);
    MPI_Type_free(&ghosts);
    MPI_Finalize();
    return code;
}
