/* SPDX-License-Identifier: BSD-3-Clause */
/* mgs_mpi [VECTORS]: modified Gram-Schmidt (mgs.h) by MPI. Who has a vector normalises it and sends
 * it to all. */
#include "mgs.h"
#include "message.h"

static long n;
static float *mine;

/* A vector of this rank's: it has every so many-th. */
static float *vector(long i) { return mine + i / mpi.ranks * n; }

static void orthogonalise(float *other) {
    for (long i = 0; i < n; i++) {
        int owner = (int)(i % mpi.ranks);
        float *current = owner == mpi.rank ? vector(i) : other;
        if (owner == mpi.rank) {
            mgs_normalise(current, n);
        }
        MPI_Bcast(current, (int)n, MPI_FLOAT, owner, MPI_COMM_WORLD);
        for (long j = dealt_from(i + 1, mpi.rank, mpi.ranks); j < n; j += mpi.ranks) {
            mgs_orthogonalise(vector(j), current, n);
        }
    }
}

int main(int argc, char **argv) {
    mpi_start(&argc, &argv);
    n = argument(argc, argv, 1, 2048);
    mine = allocate((size_t)((n / mpi.ranks + 1) * n) * sizeof(float));
    for (long i = mpi.rank; i < n; i += mpi.ranks) {
        mgs_fill(vector(i), i, n);
    }
    float *other = allocate((size_t)n * sizeof(float));
    MPI_Barrier(MPI_COMM_WORLD);
    double start = bench_now(), sum = 0;
    orthogonalise(other);
    double seconds = bench_now() - start;
    for (long i = mpi.rank; i < n; i += mpi.ranks) {
        sum += mgs_value(vector(i), i, n);
    }
    return mpi_finish("mgs", sum, seconds);
}
