/* SPDX-License-Identifier: BSD-3-Clause */
/* barnes_mpi [BODIES STEPS]: as barnes.c, by MPI. Each rank has all bodies and makes the whole
 * tree; after a step each sends all others those that it has moved. */
#include "barnes.h"
#include "message.h"

static long n;
static struct place *places;
static struct motion *motions;
static int *work;
static struct tree tree;

/* What the others must know of a body that this rank has moved: 11 doubles, as the paper's. */
struct moved {
    double at[3], velocity[3], potential;
    long body, work;
    double spare[2];
};
static struct moved *moved; /* of all */
static long n_mine;

static void feel(int body) { work[body] = barnes_feel(&tree, places, body, &motions[body]); }

static void move(int body) {
    struct moved *to = &moved[n_mine++];
    barnes_move(&places[body], &motions[body]);
    memset(to, 0, sizeof *to);
    memcpy(to->at, places[body].at, sizeof to->at);
    memcpy(to->velocity, motions[body].velocity, sizeof to->velocity);
    to->potential = motions[body].potential;
    to->body = body;
    to->work = work[body];
}

static void share(void) {
    int mine = (int)(n_mine * (long)sizeof *moved), lengths[mpi.ranks], places_of[mpi.ranks];
    PMPI_Allgather(&mine, 1, MPI_INT, lengths, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0, at = 0; i < mpi.ranks; at += lengths[i++]) {
        places_of[i] = at;
    }
    struct moved *all = moved + n;
    MPI_Allgatherv(moved, mine, MPI_BYTE, all, lengths, places_of, MPI_BYTE, MPI_COMM_WORLD);
    for (long i = 0; i < n; i++) {
        memcpy(places[all[i].body].at, all[i].at, sizeof all[i].at);
        memcpy(motions[all[i].body].velocity, all[i].velocity, sizeof all[i].velocity);
        motions[all[i].body].potential = all[i].potential;
        work[all[i].body] = (int)all[i].work;
    }
}

static void step(void) {
    const int all = barnes_build(&tree, places, work, n);
    const int from = (int)part_begin(all, mpi.ranks, mpi.rank);
    const int to = (int)part_begin(all, mpi.ranks, mpi.rank + 1);
    n_mine = 0;
    barnes_each(&tree, 1, 0, from, to, feel);
    barnes_each(&tree, 1, 0, from, to, move);
    share();
}

int main(int argc, char **argv) {
    mpi_start(&argc, &argv);
    n = argument(argc, argv, 1, 65536);
    long steps = argument(argc, argv, 2, 3);
    places = allocate((size_t)n * sizeof *places);
    motions = allocate((size_t)n * sizeof *motions);
    work = allocate((size_t)n * sizeof *work);
    moved = allocate(2 * (size_t)n * sizeof *moved);
    tree = barnes_tree(n);
    barnes_start(places, motions, work, n);
    MPI_Barrier(MPI_COMM_WORLD);
    double began = bench_now(), sum = 0;
    for (long i = 0; i < steps; i++) {
        step();
    }
    double seconds = bench_now() - began;
    for (long i = part_begin(n, mpi.ranks, mpi.rank); i < part_begin(n, mpi.ranks, mpi.rank + 1);
         i++) {
        sum += barnes_energy(&places[i], &motions[i]);
    }
    return mpi_finish("barnes", sum, seconds);
}
