// SPDX-License-Identifier: BSD-3-Clause
// A UPC program that calls MPI itself. Started by mpirun, with one thread in each process, thread
// numbers and ranks agree. UPC and MPI take turns: a barrier stands between a phase of the one and
// a phase of the other, so that neither waits for a process that is busy in the other.
//
//     upcc $(mpicc --showme:compile) mpi.upc $(mpicc --showme:link) -o mpi
//     mpirun -n 4 ./mpi
#include <mpi.h>
#include <stdio.h>
#include <upc.h>

enum { N = 1000 };

shared long part[THREADS];

int main(int argc, char **argv)
{
    int rank, size;
    long sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank != MYTHREAD || size != THREADS) {
        printf("thread %d of %d is rank %d of %d: start the program with mpirun\n", MYTHREAD,
               THREADS, rank, size);
        return 1;
    }

    // UPC: each thread leaves its part with its neighbour.
    for (int i = MYTHREAD; i < N; i += THREADS)
        sum += i;
    part[(MYTHREAD + 1) % THREADS] = sum;
    upc_barrier;

    // MPI: the parts are added up.
    MPI_Allreduce((const long *)&part[MYTHREAD], &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);

    // UPC again.
    upc_barrier sum;
    if (MYTHREAD == 0)
        printf("the numbers below %d add up to %ld%s\n", N, sum,
               sum == N * (N - 1L) / 2 ? "" : ", which is wrong");
    MPI_Finalize();
    return sum != N * (N - 1L) / 2;
}
