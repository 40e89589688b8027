/* SPDX-License-Identifier: BSD-3-Clause */
/* tsp_mpi [CITIES REST]: as tsp.c, by MPI. Rank 0 has the queue; the others tell it the shortest
 * tour that they know, and get a tour to end, and the shortest length of all. */
#include "message.h"
#include "tsp.h"

/* To rank 0: a tour that was found, its `bound` its length. Back: a tour to end, of no cities if
 * there is none. */
struct letter {
    int best;
    struct tour tour;
};

static struct tour_queue queue;
static struct cities cities;
static struct letter known = {.best = INT_MAX};

static int best_known(void) { return known.best; }

static void found(const struct tour *whole, int length) {
    known = (struct letter){length, *whole};
}

static void serve(int rest) {
    for (int left = mpi.ranks - 1; left > 0;) {
        struct letter letter;
        MPI_Status status;
        MPI_Recv(&letter, sizeof letter, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        known = letter.best < known.best ? letter : known;
        int is_left = tsp_next(&queue, &cities, rest, known.best, &letter.tour);
        letter.tour.n = is_left ? letter.tour.n : 0;
        letter.best = known.best;
        left -= !is_left;
        MPI_Send(&letter, sizeof letter, MPI_BYTE, status.MPI_SOURCE, 0, MPI_COMM_WORLD);
    }
}

static void work(const struct search *search) {
    for (;;) {
        struct letter letter;
        MPI_Send(&known, sizeof known, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&letter, sizeof letter, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (letter.tour.n == 0) {
            return;
        }
        known.best = letter.best;
        tsp_search(search, &letter.tour);
    }
}

int main(int argc, char **argv) {
    mpi_start(&argc, &argv);
    int n = (int)argument(argc, argv, 1, 19), rest = (int)argument(argc, argv, 2, 14);
    const struct search search = {&cities, best_known, found};
    tsp_setup(&cities, n);
    struct tour start = tsp_start(&cities), next;
    tsp_put(&queue, &start, start.bound);
    MPI_Barrier(MPI_COMM_WORLD);
    double began = bench_now();
    if (mpi.rank > 0) {
        work(&search);
    } else if (mpi.ranks > 1) {
        serve(rest);
    } else {
        while (tsp_next(&queue, &cities, rest, known.best, &next)) {
            tsp_search(&search, &next);
        }
    }
    return mpi_finish("tsp", mpi.rank == 0 ? known.best : 0, bench_now() - began);
}
