/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI's collective functions as collectives.h measures them. The elements of a reduction are first
 * reduced within the process, as upc_all_reduce does. */
#include "collectives.h"
#include <mpi.h>

static int me, processes;
static char *src, *dst;

static void broadcast(size_t bytes) {
    MPI_Bcast(src, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void scatter(size_t bytes) {
    MPI_Scatter(src, (int)bytes, MPI_BYTE, dst, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void gather(size_t bytes) {
    MPI_Gather(src, (int)bytes, MPI_BYTE, dst, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void gather_all(size_t bytes) {
    MPI_Allgather(src, (int)bytes, MPI_BYTE, dst, (int)bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void exchange(size_t bytes) {
    MPI_Alltoall(src, (int)bytes, MPI_BYTE, dst, (int)bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void permute(size_t bytes) {
    MPI_Sendrecv(src, (int)bytes, MPI_BYTE, (me + 1) % processes, 0, dst, (int)bytes, MPI_BYTE,
                 (me + processes - 1) % processes, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double sum(size_t bytes) {
    double total = 0;
    for (size_t i = 0; i < bytes / sizeof total; i++) {
        total += ((double *)src)[i];
    }
    return total;
}

static void reduce(size_t bytes) {
    double own = sum(bytes);
    MPI_Reduce(&own, dst, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void prefix_reduce(size_t bytes) {
    double own = sum(bytes), total = 0;
    MPI_Exscan(&own, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (size_t i = 0; i < bytes / sizeof total; i++) {
        ((double *)dst)[i] = total += ((double *)src)[i];
    }
}

static void reduce_all(size_t bytes) {
    double own = sum(bytes);
    MPI_Allreduce(&own, dst, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void vector_reduce(size_t bytes) {
    MPI_Reduce(src, dst, (int)(bytes / 8), MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void vector_reduce_all(size_t bytes) {
    MPI_Allreduce(src, dst, (int)(bytes / 8), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void value_reduce_all(size_t bytes) {
    double own = (double)bytes + me;
    MPI_Allreduce(&own, &collectives_value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

static void barrier(size_t bytes) {
    (void)bytes;
    MPI_Barrier(MPI_COMM_WORLD);
}

static const struct way ways[] = {
    {"broadcast", "", broadcast, .in_place = 1}, {"scatter", "", scatter}, {"gather", "", gather},
    {"gather_all", "", gather_all}, {"exchange", "", exchange}, {"permute", "", permute},
    {"reduce", "", reduce}, {"reduce_all", "", reduce_all}, {"prefix_reduce", "", prefix_reduce},
    {"vector_reduce", "", vector_reduce}, {"vector_reduce_all", "", vector_reduce_all},
    {"allv-reduce-all", "", value_reduce_all}, {"barrier", "", barrier},
};

static void meet(void) {
    MPI_Barrier(MPI_COMM_WORLD);
}

static void largest(double *values, int n) {
    MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    src = calloc(collectives_row(processes), 1);
    dst = calloc(collectives_row(processes), 1);
    struct crew crew = {me,   processes,     ways,          sizeof ways / sizeof *ways,
                        meet, (double *)src, (double *)dst, largest};
    int end = collectives_main(&crew, argc, argv);
    MPI_Finalize();
    return end;
}
