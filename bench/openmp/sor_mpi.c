/* SPDX-License-Identifier: BSD-3-Clause */
/* sor_mpi [ROWS COLUMNS ITERATIONS]: red-black SOR (sor.h) by MPI; each rank has some neighbouring
 * rows, and copies of the rows above and below them. */
#include "message.h"
#include "sor.h"

static long rows, half, first, end;
static float *grid[2];

/* Row `first - 1` is the first in memory. */
static float *row_of(int colour, long i) { return grid[colour] + (i - first + 1) * half; }

static void fill(int colour) {
    grid[colour] = allocate((size_t)((end - first + 2) * half) * sizeof(float));
    for (long i = first - 1; i <= end; i++) {
        sor_fill(row_of(colour, i), i <= 0 || i >= rows - 1, sor_is_odd(colour, i), half);
    }
}

static void relax(int colour) {
    int other = 1 - colour;
    for (long i = first; i < end; i++) {
        if (i > 0 && i < rows - 1) {
            sor_relax(row_of(colour, i), row_of(other, i - 1), row_of(other, i),
                      row_of(other, i + 1), sor_is_odd(colour, i), half);
        }
    }
}

static void exchange(int colour) {
    MPI_Request requests[4];
    int n = 0, up = mpi.rank - 1, down = mpi.rank + 1;
    const int length = (int)half;
    if (up >= 0) {
        MPI_Irecv(row_of(colour, first - 1), length, MPI_FLOAT, up, 0, MPI_COMM_WORLD,
                  &requests[n++]);
        MPI_Isend(row_of(colour, first), length, MPI_FLOAT, up, 0, MPI_COMM_WORLD, &requests[n++]);
    }
    if (down < mpi.ranks) {
        MPI_Irecv(row_of(colour, end), length, MPI_FLOAT, down, 0, MPI_COMM_WORLD, &requests[n++]);
        MPI_Isend(row_of(colour, end - 1), length, MPI_FLOAT, down, 0, MPI_COMM_WORLD,
                  &requests[n++]);
    }
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
    mpi_start(&argc, &argv);
    rows = argument(argc, argv, 1, 8192);
    half = argument(argc, argv, 2, 4096) / 2;
    first = part_begin(rows, mpi.ranks, mpi.rank);
    end = part_begin(rows, mpi.ranks, mpi.rank + 1);
    long iterations = argument(argc, argv, 3, 20);
    fill(RED);
    fill(BLACK);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = bench_now();
    for (long i = 0; i < iterations; i++) {
        relax(RED);
        exchange(RED);
        relax(BLACK);
        exchange(BLACK);
    }
    double seconds = bench_now() - start, sum = 0;
    for (long i = first; i < end; i++) {
        sum += sor_sum(row_of(RED, i), half) + sor_sum(row_of(BLACK, i), half);
    }
    return mpi_finish("sor", sum, seconds);
}
