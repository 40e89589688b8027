/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * FT by MPI: the slabs of ft.upc, transposed by MPI_Alltoall.
 */
#include "ft.h"
#include <mpi.h>
#include <string.h>

static struct ft_complex *pieces; /* what is sent, or received, of the box: one for each process */

static void ft_send_plane(const struct ft *f, long plane) { (void)f, (void)plane; }
static void ft_begin_row(const struct ft *f, long row) { (void)f, (void)row; }
static void ft_send_row(const struct ft *f, long row) { (void)f, (void)row; }

static struct ft_complex ft_sum(struct ft_complex value) {
    struct ft_complex sum;
    MPI_Allreduce(&value, &sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

/* Between box and pieces the rows of each process are copied, `in` or out. */
static void copy_box(const struct ft *f, int in) {
    const long n = f->rows * FT_X;
    struct ft_complex *piece = pieces;
    for (int t = 0; t < f->threads; t++) {
        for (long z = 0; z < f->planes; z++, piece += n) {
            struct ft_complex *rows = f->box + z * FT_Y * FT_X + t * n;
            memcpy(in ? rows : piece, in ? piece : rows, (size_t)n * sizeof *rows);
        }
    }
}

static void exchange(const struct ft *f, struct ft_complex *from, struct ft_complex *to) {
    int n = (int)(2 * ft_share(f) / (size_t)f->threads);
    MPI_Alltoall(from, n, MPI_DOUBLE, to, n, MPI_DOUBLE, MPI_COMM_WORLD);
}

static void ft_receive_spectrum(const struct ft *f) {
    if (f->threads > 1) {
        copy_box(f, 0);
        exchange(f, pieces, f->spectrum);
    }
}

static void ft_receive_box(const struct ft *f) {
    if (f->threads > 1) {
        exchange(f, f->work, pieces);
        copy_box(f, 1);
    }
}

static void allocate(struct ft *f) {
    size_t points = ft_share(f);
    f->box = malloc(points * sizeof *f->box);
    f->spectrum = malloc(points * sizeof *f->spectrum);
    f->work = f->threads == 1 ? f->box : malloc(points * sizeof *f->work);
    f->decay = malloc(points * sizeof *f->decay);
    pieces = malloc(points * sizeof *pieces);
    if (!f->box || !f->spectrum || !f->work || !f->decay || !pieces) {
        fprintf(stderr, "npb: no memory for %zu points\n", points);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

int main(int argc, char **argv) {
    struct ft f;
    struct ft_complex sums[FT_STEPS];
    int rank, size, code = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (!ft_setup(&f, size, rank)) {
        code = rank == 0 ? ft_refuse(size) : 2;
        MPI_Finalize();
        return code;
    }
    allocate(&f);
    double seconds = ft_run(&f, sums);
    if (rank == 0) {
        code = ft_finish(sums, seconds);
    }
    MPI_Finalize();
    return code;
}
