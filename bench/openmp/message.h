/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI for the programs of this folder, whose messages it counts as the paper does: by where they
 * go, a collective operation as the messages that it stands for, each straight from who has the
 * data to who needs it. RANKS_PER_HOST neighbours are one host. It stands before MPI's own
 * functions by its profiling interface.
 */
#ifndef OPENMP_MESSAGE_H
#define OPENMP_MESSAGE_H

#include "program.h"
#include <mpi.h>

#ifndef RANKS_PER_HOST
#define RANKS_PER_HOST 4
#endif

static struct {
    int rank, ranks;
    /* What this rank has sent: messages and bytes, of all and of those that left the host. */
    double messages, bytes, away_messages, away_bytes;
} mpi;

static inline void mpi_count(int to, int n, MPI_Datatype type) {
    int size;
    MPI_Type_size(type, &size);
    int is_away = to / RANKS_PER_HOST != mpi.rank / RANKS_PER_HOST;
    mpi.messages += 1;
    mpi.bytes += (double)n * size;
    mpi.away_messages += is_away;
    mpi.away_bytes += is_away * (double)n * size;
}

static inline void mpi_count_all(int n, MPI_Datatype type) {
    for (int to = 0; to < mpi.ranks; to++) {
        if (to != mpi.rank) {
            mpi_count(to, n, type);
        }
    }
}

int MPI_Send(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    mpi_count(to, n, type);
    return PMPI_Send(data, n, type, to, tag, comm);
}

int MPI_Isend(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request) {
    mpi_count(to, n, type);
    return PMPI_Isend(data, n, type, to, tag, comm, request);
}

int MPI_Bcast(void *data, int n, MPI_Datatype type, int root, MPI_Comm comm) {
    if (mpi.rank == root) {
        mpi_count_all(n, type);
    }
    return PMPI_Bcast(data, n, type, root, comm);
}

int MPI_Reduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
    if (mpi.rank != root) {
        mpi_count(root, n, type);
    }
    return PMPI_Reduce(in, out, n, type, op, root, comm);
}

int MPI_Allgatherv(const void *in, int n, MPI_Datatype type, void *out, const int *numbers,
                   const int *places, MPI_Datatype out_type, MPI_Comm comm) {
    mpi_count_all(numbers[mpi.rank], out_type);
    return PMPI_Allgatherv(in, n, type, out, numbers, places, out_type, comm);
}

int MPI_Alltoall(const void *in, int n, MPI_Datatype type, void *out, int out_n,
                 MPI_Datatype out_type, MPI_Comm comm) {
    mpi_count_all(n, type);
    return PMPI_Alltoall(in, n, type, out, out_n, out_type, comm);
}

static inline void mpi_start(int *argc, char ***argv) {
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &mpi.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &mpi.ranks);
}

static inline double mpi_sum(double mine) {
    double sum = 0;
    MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    return sum;
}

/* The end of main: rank 0 reports the sum of what the ranks found. That is not counted. */
static inline int mpi_finish(const char *program, double value, double seconds) {
    double mine[5] = {mpi.messages, mpi.bytes, mpi.away_messages, mpi.away_bytes, value}, all[5];
    PMPI_Reduce(mine, all, 5, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (mpi.rank == 0) {
        printf("{\"messages\": %.0f, \"bytes\": %.0f, \"away_messages\": %.0f, "
               "\"away_bytes\": %.0f}\n",
               all[0], all[1], all[2], all[3]);
        report(program, all[4], seconds);
    }
    MPI_Finalize();
    return 0;
}

#endif
