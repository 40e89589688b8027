// SPDX-License-Identifier: BSD-3-Clause
// Every UPC thread calls MPI for itself: it asks for less than it needs, has a communicator for those
// with its place in their processes, and ends MPI while others still use it.
#include <mpi.h>
#include <stdio.h>
#include <upc.h>
#include <upcx_process.h>

shared long got[THREADS];

static int wrong(const char *what)
{
    printf("thread %d: %s\n", MYTHREAD, what);
    return 1;
}

int main(int argc, char **argv)
{
    int rank, size, level, flag, own = upcx_process_of(MYTHREAD);
    int place = MYTHREAD - upcx_process_first(own);
    long sum = 0;
    if (MYTHREAD % 2)
        MPI_Init(&argc, &argv);
    else
        MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Query_thread(&level);
    if (rank != own || size != upcx_processes())
        return wrong("ranks are not processes");
    if (upcx_process_threads(own) > 1 && level < MPI_THREAD_MULTIPLE)
        return wrong("MPI has not been asked for calls from all threads");

    // Threads of a process have communicators made one after the other: they are collective.
    MPI_Comm comm = MPI_COMM_NULL;
    for (int i = 0; i < upcx_process_threads(0); i++) {
        if (place == i)
            MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        upc_barrier;
    }
    // All threads at once.
    for (long turn = 1; turn <= 50; turn++) {
        long mine = MYTHREAD * turn;
        MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, comm);
        long expected = 0;
        for (int p = 0; p < size; p++)
            expected += (upcx_process_first(p) + place) * turn;
        if (sum != expected)
            return wrong("another sum");
    }
    // Messages by thread: a tag says which thread of the rank is meant.
    int right = (MYTHREAD + 1) % THREADS, left = (MYTHREAD + THREADS - 1) % THREADS;
    long number = 1000 + MYTHREAD, received = 0;
    MPI_Sendrecv(&number, 1, MPI_LONG, upcx_process_of(right), right, &received, 1, MPI_LONG,
                 upcx_process_of(left), MYTHREAD, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    got[right] = received;
    MPI_Comm_free(&comm);
    if (place == 0 && MPI_Finalize() != MPI_SUCCESS)
        return wrong("MPI_Finalize fails");
    upc_barrier;
    MPI_Finalized(&flag);
    if (place == 0 && !flag)
        return wrong("MPI goes on");
    if (place > 0)
        MPI_Finalize();
    if (got[MYTHREAD] != 1000 + (left + THREADS - 1) % THREADS)
        return wrong("another thread's message");
    upc_barrier;
    if (MYTHREAD == 0)
        printf("%d threads in %d ranks\n", THREADS, size);
    return 0;
}
