// SPDX-License-Identifier: BSD-3-Clause
// An MPI program in C that calls functions in UPC (mpi_main.upc). upcc links it: the runtime of UPC
// then starts before this main, in every process.
//
//     mpicc -c mpi_main.c -o main.o
//     upcc -c mpi_main.upc -o table.o
//     upcc -cc=mpicc main.o table.o -o mpi_main
//     mpirun -n 4 ./mpi_main
#include <mpi.h>
#include <stdio.h>

// In UPC.
int upc_threads(void);
int upc_me(void);
void table_add(unsigned key, long value);
long table_sum(void);
void table_settle(void);

int main(int argc, char **argv)
{
    enum { N = 500 };
    int rank, size;
    long own, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank != upc_me() || size != upc_threads()) {
        fprintf(stderr, "rank %d of %d is thread %d of %d: start it with mpirun, with one UPC thread "
                        "in each process\n", rank, size, upc_me(), upc_threads());
        MPI_Finalize();
        return 2;
    }

    // Everybody adds to entries of everybody: one-sided, which MPI's ranks need not wait for.
    for (unsigned i = 0; i < N; i++)
        table_add(i * 7919u + (unsigned)rank, i);
    table_settle();

    // The entries of each, by UPC; their sum, by MPI.
    own = table_sum();
    MPI_Allreduce(&own, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    long expected = (long)size * N * (N - 1) / 2;
    if (rank == 0)
        printf("%d ranks have added up %ld\n%s\n", size, sum, sum == expected ? "ok" : "wrong");
    MPI_Finalize();
    return sum != expected;
}
