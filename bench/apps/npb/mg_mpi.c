/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MG by MPI: the pieces and the order of exchanges of mg.upc.
 */
#include "mg.h"
#include <mpi.h>
#include <string.h>

static struct {
    int rank, size;
    double *pieces; /* of a whole level, everybody's */
    size_t points;  /* in a piece of the largest one */
} job;

static double mg_sum(double value) {
    double sum = 0;
    MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

static void mg_agree(struct mg_charges *charges) {
    struct mg_charges *all = calloc((size_t)job.size, sizeof *all), mine = *charges;
    if (!all) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Allgather(&mine, (int)sizeof mine, MPI_BYTE, all, (int)sizeof mine, MPI_BYTE,
                  MPI_COMM_WORLD);
    *charges = mg_no_charges();
    for (int t = 0; t < job.size; t++) {
        mg_merge(charges, &all[t]);
    }
    free(all);
}

/* Borders of type `face`, at `first` and `last` of a level, to the neighbours in a direction. */
static void exchange(const struct mg *m, int direction, double *first, double *last, long distance,
                     MPI_Datatype face) {
    const int step[2] = {1, m->parts[0]}, n = m->parts[direction], here = m->place[direction];
    int below = job.rank + ((here + n - 1) % n - here) * step[direction];
    int above = job.rank + ((here + 1) % n - here) * step[direction];
    MPI_Request requests[4];
    MPI_Irecv(first - distance, 1, face, below, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(last + distance, 1, face, above, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(last, 1, face, above, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(first, 1, face, below, 1, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static void mg_exchange(const struct mg *m, const struct mg_level *l, long grid) {
    double *level = m->base + grid;
    for (long k = 1; k <= l->n[2]; k++) {
        mg_wrap_x(l, level + k * l->plane);
        if (m->parts[0] == 1) {
            mg_wrap_y(l, level + k * l->plane);
        }
    }
    if (m->parts[0] > 1) {
        MPI_Datatype rows;
        MPI_Type_vector((int)l->n[2], (int)l->row, (int)l->plane, MPI_DOUBLE, &rows);
        MPI_Type_commit(&rows);
        double *first = level + l->plane + l->row;
        exchange(m, 0, first, first + (l->n[1] - 1) * l->row, l->row, rows);
        MPI_Type_free(&rows);
    }
    if (m->parts[1] > 1) {
        MPI_Datatype plane;
        MPI_Type_contiguous((int)l->plane, MPI_DOUBLE, &plane);
        MPI_Type_commit(&plane);
        exchange(m, 1, level + l->plane, level + l->n[2] * l->plane, l->plane, plane);
        MPI_Type_free(&plane);
    } else {
        mg_wrap_z(l, level);
    }
}

/* Copies a piece out of a whole level, or (`in`) into it. */
static void copy_piece(const struct mg *m, const struct mg_level *l, double *level, int owner,
                       int in) {
    double *piece = job.pieces + (size_t)owner * job.points;
    long n[2], begin = mg_piece_of(m, l, owner, n);
    size_t bytes = (size_t)l->n[0] * sizeof(double);
    for (long k = 0; k < n[1]; k++) {
        for (long j = 0; j < n[0]; j++, piece += l->n[0]) {
            double *row = level + begin + k * l->plane + j * l->row;
            memcpy(in ? row : piece, in ? piece : row, bytes);
        }
    }
}

static void mg_collect(const struct mg *m, const struct mg_level *l, long grid) {
    copy_piece(m, l, m->base + grid, job.rank, 0);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, job.pieces, (int)job.points, MPI_DOUBLE,
                  MPI_COMM_WORLD);
    for (int t = 0; t < job.size; t++) {
        copy_piece(m, l, m->base + grid, t, 1);
    }
}

int main(int argc, char **argv) {
    struct mg m;
    double seconds = 0;
    int code = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &job.size);
    size_t points = mg_setup(&m, job.size, job.rank);
    if (points == 0) {
        code = job.rank == 0 ? mg_refuse(job.size) : 2;
        MPI_Finalize();
        return code;
    }
    job.points = mg_piece_points(&m);
    job.pieces = malloc((size_t)job.size * job.points * sizeof(double));
    m.base = malloc(points * sizeof *m.base);
    if (!job.pieces || !m.base) {
        fprintf(stderr, "npb: no memory for %zu points\n", points);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    double norm = mg_run(&m, &seconds);
    code = job.rank == 0 ? mg_finish(norm, seconds) : 0;
    free(job.pieces);
    free(m.base);
    MPI_Finalize();
    return code;
}
