/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * LU, SP and BT by MPI: the rows and ghosts of cfd_upc.h. Messages take the place of signals. They are
 * under way while the next planes are computed, so that a long one, which waits for its receiver, does
 * not stop the sender.
 */
#ifndef CFD_MPI_H
#define CFD_MPI_H

#include "cfd.h"
#include <mpi.h>

static int below = MPI_PROC_NULL, above = MPI_PROC_NULL; /* the neighbours, at small and large y */
static MPI_Datatype ghosts; /* rows that a neighbour sees, of all planes */
static MPI_Request sent[2][CFD_N]; /* of each plane, to large and to small y */

static void cfd_join(void) {}

static void cfd_meet(const struct cfd *c) {
    (void)c;
    MPI_Waitall(CFD_N, sent[0], MPI_STATUSES_IGNORE);
    MPI_Waitall(CFD_N, sent[1], MPI_STATUSES_IGNORE);
}

static void cfd_exchange(const struct cfd *c) {
    MPI_Sendrecv(c->u + cfd_at(c, 0, 0), 1, ghosts, below, 0, c->u + cfd_at(c, 0, c->rows), 1, ghosts,
                 above, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(c->u + cfd_at(c, 0, c->rows - CFD_GHOSTS), 1, ghosts, above, 1,
                 c->u + cfd_at(c, 0, -CFD_GHOSTS), 1, ghosts, below, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void receive(double *to, long n, int from) {
    MPI_Recv(to, (int)n, MPI_DOUBLE, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send(const double *from, long n, int to, MPI_Request *request) {
    MPI_Isend(from, (int)n, MPI_DOUBLE, to, 2, MPI_COMM_WORLD, request);
}

static void cfd_await(const struct cfd *c, long k, int from) {
    double *rows = c->r + cfd_at(c, k, from < 0 ? -CFD_LAG : c->rows);
    receive(rows, CFD_LAG * CFD_ROW, from < 0 ? below : above);
    if (from > 0) { /* what went there has come back, and may be written again */
        MPI_Wait(&sent[0][k], MPI_STATUS_IGNORE);
    }
}

static void cfd_pass(const struct cfd *c, long k, int from) {
    const double *rows = c->r + cfd_at(c, k, from < 0 ? c->rows - CFD_LAG : 0);
    send(rows, CFD_LAG * CFD_ROW, from < 0 ? above : below, &sent[from > 0][k]);
}

static inline void cfd_await_front(const struct cfd *c, long k) {
    receive(c->front + k * CFD_FRONT, CFD_FRONT, below);
}

static inline void cfd_pass_front(const struct cfd *c, long k, const double *front) {
    (void)c;
    send(front, CFD_FRONT, above, &sent[0][k]);
}

static void cfd_sum(double *values, int n) {
    MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void allocate(struct cfd *c) {
    c->u = malloc(cfd_bytes(c));
    c->r = malloc(cfd_bytes(c));
    c->front = malloc(cfd_front_bytes());
    if (!c->u || !c->r || !c->front || !cfd_allocate(c)) {
        fprintf(stderr, "npb: no memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Type_vector(CFD_N, CFD_GHOSTS * CFD_ROW, (int)(5 * c->plane), MPI_DOUBLE, &ghosts);
    MPI_Type_commit(&ghosts);
}

static void release(struct cfd *c) {
    free(c->u);
    free(c->r);
    free(c->front);
    cfd_free(c);
    MPI_Type_free(&ghosts);
}

/* What main does. */
static int cfd_main(int argc, char **argv) {
    struct cfd c;
    double result[CFD_RESULTS] = {0};
    int rank, size, code = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (!cfd_setup(&c, size, rank)) {
        code = rank == 0 ? cfd_refuse(size) : 2;
        MPI_Finalize();
        return code;
    }
    for (int k = 0; k < CFD_N; k++) {
        sent[0][k] = sent[1][k] = MPI_REQUEST_NULL;
    }
    below = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    above = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    allocate(&c);
    double seconds = cfd_run(&c, result);
    if (rank == 0) {
        code = cfd_finish(result, seconds);
    }
    release(&c);
    MPI_Finalize();
    return code;
}

#endif
