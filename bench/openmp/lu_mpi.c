/* SPDX-License-Identifier: BSD-3-Clause */
/* lu_mpi [N BLOCK]: LU factorisation (lu.h) by MPI. Blocks that are finished go to the ranks of the
 * same row or column of the grid, each rank's in one message. */
#include "lu.h"
#include "message.h"

static struct lu lu;
static long my_row, my_column, length; /* doubles in a block */
static double *mine;
/* Of this step: the diagonal block, the blocks of L of my rows, the blocks of U of my columns. */
static double *diagonal, *left, *above;

static double *block_at(long i, long j) { return mine + lu_number(&lu, i, j) * length; }

/* Ranks of the grid: a row or a column of it. */
struct line {
    long first, step, ranks, me;
};

static struct line row_line(void) {
    return (struct line){my_row * lu.columns, 1, lu.columns, my_column};
}

static struct line column_line(void) {
    return (struct line){my_column, lu.columns, lu.rows, my_row};
}

static int owns_row(long k) { return k % lu.rows == my_row; }
static int owns_column(long k) { return k % lu.columns == my_column; }

/* n blocks from one of a line to the others. */
static void broadcast(double *blocks, long n, long root, struct line line) {
    const int length_of_all = (int)(n * length);
    for (long to = 0; line.me == root && to < line.ranks && n > 0; to++) {
        if (to != root) {
            MPI_Send(blocks, length_of_all, MPI_DOUBLE, (int)(line.first + to * line.step), 0,
                     MPI_COMM_WORLD);
        }
    }
    if (line.me != root && n > 0) {
        MPI_Recv(blocks, length_of_all, MPI_DOUBLE, (int)(line.first + root * line.step), 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* The diagonal block goes to the grid's row and column that have blocks beside and below it. */
static void do_diagonal(long k) {
    if (owns_row(k) && owns_column(k)) {
        lu_factor(block_at(k, k), lu.size);
        memcpy(diagonal, block_at(k, k), (size_t)length * sizeof(double));
    }
    if (k + 1 < lu.blocks && owns_row(k)) {
        broadcast(diagonal, 1, k % lu.columns, row_line());
    }
    if (k + 1 < lu.blocks && owns_column(k)) {
        broadcast(diagonal, 1, k % lu.rows, column_line());
    }
}

static void do_step(long k) {
    const long row = dealt_from(k + 1, my_row, lu.rows);
    const long column = dealt_from(k + 1, my_column, lu.columns);
    long n_left = 0, n_above = 0;
    for (long i = row; i < lu.blocks; i += lu.rows, n_left++) {
        if (owns_column(k)) {
            lu_below(block_at(i, k), diagonal, lu.size);
            memcpy(left + n_left * length, block_at(i, k), (size_t)length * sizeof(double));
        }
    }
    for (long j = column; j < lu.blocks; j += lu.columns, n_above++) {
        if (owns_row(k)) {
            lu_right(block_at(k, j), diagonal, lu.size);
            memcpy(above + n_above * length, block_at(k, j), (size_t)length * sizeof(double));
        }
    }
    broadcast(left, n_left, k % lu.columns, row_line());
    broadcast(above, n_above, k % lu.rows, column_line());
    for (long i = 0; i < n_left; i++) {
        for (long j = 0; j < n_above; j++) {
            lu_inner(block_at(row + i * lu.rows, column + j * lu.columns), left + i * length,
                     above + j * length, lu.size);
        }
    }
}

static double for_all(int fill) {
    double sum = 0;
    for (long i = my_row; i < lu.blocks; i += lu.rows) {
        for (long j = my_column; j < lu.blocks; j += lu.columns) {
            if (fill) {
                lu_fill(&lu, block_at(i, j), i, j);
            } else {
                sum += lu_value(&lu, block_at(i, j), i, j);
            }
        }
    }
    return sum;
}

int main(int argc, char **argv) {
    mpi_start(&argc, &argv);
    lu = lu_setup(argument(argc, argv, 1, 2048), argument(argc, argv, 2, 32), mpi.ranks);
    my_row = mpi.rank / lu.columns, my_column = mpi.rank % lu.columns;
    length = lu.size * lu.size;
    mine = allocate(lu_share(&lu) * sizeof(double));
    diagonal = allocate((size_t)length * sizeof(double));
    left = allocate((size_t)(lu.blocks * length) * sizeof(double));
    above = allocate((size_t)(lu.blocks * length) * sizeof(double));
    for_all(1);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = bench_now();
    for (long k = 0; k < lu.blocks; k++) {
        do_diagonal(k);
        do_step(k);
    }
    double seconds = bench_now() - start;
    return mpi_finish("lu", for_all(0), seconds);
}
