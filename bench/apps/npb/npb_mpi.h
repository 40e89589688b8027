/* SPDX-License-Identifier: BSD-3-Clause */
/* What the programs for MPI share. */
#ifndef NPB_MPI_H
#define NPB_MPI_H

#include "npb.h"
#include <mpi.h>

static int rank, ranks;

static inline void npb_mpi_start(int *argc, char ***argv) {
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
}

/* The time at which all ranks begin. */
static inline double npb_mpi_begin(void) {
    MPI_Barrier(MPI_COMM_WORLD);
    return bench_now();
}

/* The end of main: all ranks return what rank 0 has found. */
static inline int npb_mpi_end(int status) {
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return status;
}

#endif
