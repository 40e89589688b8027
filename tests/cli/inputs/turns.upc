// SPDX-License-Identifier: BSD-3-Clause
// Phases of UPC and of MPI, from MPI_Init to MPI_Finalize. What it writes with UPC before a barrier
// is what MPI adds up after it, and the other way round.
#include <mpi.h>
#include <stdio.h>
#include <upc.h>

shared long part[THREADS];

static int wrong(const char *what)
{
    printf("thread %d: %s\n", MYTHREAD, what);
    return 1;
}

int main(int argc, char **argv)
{
    int rank, size, level, flag;
    part[(MYTHREAD + 1) % THREADS] = MYTHREAD; // UPC comes before MPI
    upc_barrier;
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS)
        return wrong("MPI_Init_thread fails");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Initialized(&flag);
    if (!flag || level < MPI_THREAD_SERIALIZED || rank != MYTHREAD || size != THREADS)
        return wrong("another MPI");

    for (long turn = 1; turn <= 20; turn++) {
        long sum, all = THREADS * (THREADS - 1L) / 2 * turn;
        part[(MYTHREAD + 1) % THREADS] = MYTHREAD * turn;
        upc_barrier;
        MPI_Allreduce((const long *)&part[MYTHREAD], &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        if (sum != all)
            return wrong("MPI does not see what UPC wrote");
        int left = (rank + size - 1) % size, right = (rank + 1) % size;
        long *own = (long *)&part[MYTHREAD];
        MPI_Sendrecv(&turn, 1, MPI_LONG, right, 7, own, 1, MPI_LONG, left, 7, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
        if (part[(MYTHREAD + 1) % THREADS] != turn)
            return wrong("UPC does not see what MPI wrote");
        upc_barrier;
    }

    MPI_Finalized(&flag);
    if (flag || MPI_Finalize() != MPI_SUCCESS)
        return wrong("MPI_Finalize fails");
    MPI_Finalized(&flag);
    part[(MYTHREAD + 1) % THREADS] = 1000; // and UPC goes on after it
    upc_barrier;
    if (!flag || part[MYTHREAD] != 1000)
        return wrong("the end of MPI is the end of UPC");
    upc_barrier;
    if (MYTHREAD == 0)
        printf("%d threads took turns\n", THREADS);
    return 0;
}
