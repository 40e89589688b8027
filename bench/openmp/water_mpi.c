/* SPDX-License-Identifier: BSD-3-Clause */
/* water_mpi [MOLECULES STEPS]: as water.c, by MPI. A rank gets the positions of the blocks that its
 * pairs reach, and sends back the forces that it found there. */
#include "message.h"
#include "water.h"

static struct water water;
static long begin, end; /* this rank's block */
static struct atoms *positions, *forces, *found, *received;
static struct motion *motions;

static int length_of(long rank) {
    long length = part_begin(water.n, mpi.ranks, rank + 1) - part_begin(water.n, mpi.ranks, rank);
    return (int)length * WATER_NUMBERS;
}

static double *block_of(struct atoms *array, long rank) {
    return array[part_begin(water.n, mpi.ranks, rank)].at;
}

static int reaches(long of, long to) {
    return of != to && water_reaches(&water, mpi.ranks, of, to);
}

/* Positions go to those whose pairs reach them. */
static void spread_positions(void) {
    MPI_Request requests[2 * mpi.ranks];
    int n = 0;
    for (int other = 0; other < mpi.ranks; other++) {
        if (reaches(mpi.rank, other)) {
            MPI_Irecv(block_of(positions, other), length_of(other), MPI_DOUBLE, other, 0,
                      MPI_COMM_WORLD, &requests[n++]);
        }
        if (reaches(other, mpi.rank)) {
            MPI_Isend(block_of(positions, mpi.rank), length_of(mpi.rank), MPI_DOUBLE, other, 0,
                      MPI_COMM_WORLD, &requests[n++]);
        }
    }
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
}

/* Forces go to those whose molecules they act on, which add them up, ranks in turn. */
static void collect_forces(void) {
    MPI_Request requests[mpi.ranks];
    int n = 0;
    for (int other = 0; other < mpi.ranks; other++) {
        if (reaches(mpi.rank, other)) {
            MPI_Isend(block_of(found, other), length_of(other), MPI_DOUBLE, other, 0,
                      MPI_COMM_WORLD, &requests[n++]);
        }
    }
    for (int i = 0; i < mpi.ranks; i++) {
        int other = (mpi.rank + i) % mpi.ranks;
        const struct atoms *from = other == mpi.rank ? found + begin : received;
        if (reaches(other, mpi.rank)) {
            MPI_Recv(received, length_of(mpi.rank), MPI_DOUBLE, other, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        } else if (other != mpi.rank) {
            continue;
        }
        for (long j = begin; j < end; j++) {
            water_add(&forces[j], &from[j - begin]);
        }
    }
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
}

/* A step of time; this rank's energies. */
static double step(void) {
    double energy = 0, kinetic = 0;
    for (long i = begin; i < end; i++) {
        water_predict(&positions[i], &motions[i]);
        energy += water_inside(&positions[i], &forces[i]);
    }
    spread_positions();
    memset(found, 0, (size_t)water.n * sizeof *found);
    energy += water_pairs(&water, positions, found, begin, end);
    collect_forces();
    for (long i = begin; i < end; i++) {
        kinetic += water_correct(&positions[i], &motions[i], &forces[i]);
    }
    return energy + kinetic / 2;
}

int main(int argc, char **argv) {
    mpi_start(&argc, &argv);
    water = water_setup(argument(argc, argv, 1, 4096));
    long steps = argument(argc, argv, 2, 4);
    size_t bytes = (size_t)water.n * sizeof(struct atoms);
    positions = allocate(bytes);
    forces = allocate(bytes);
    found = allocate(bytes);
    received = allocate(bytes);
    motions = allocate((size_t)water.n * sizeof *motions);
    begin = part_begin(water.n, mpi.ranks, mpi.rank);
    end = part_begin(water.n, mpi.ranks, mpi.rank + 1);
    for (long i = begin; i < end; i++) {
        water_place(&water, &positions[i], i);
        memset(&motions[i], 0, sizeof motions[i]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    double began = bench_now(), sum = 0;
    for (long i = 0; i < steps; i++) {
        sum += mpi_sum(step());
    }
    return mpi_finish("water", sum, bench_now() - began);
}
