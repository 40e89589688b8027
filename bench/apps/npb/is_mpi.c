/* SPDX-License-Identifier: BSD-3-Clause */
/* IS (is.h) with MPI: ranks order their keys by buckets, and exchange them all at once. */
#include "is.h"
#include "npb_mpi.h"

static int *buffer, *area; /* own keys in the order of buckets, and those of own buckets */
static int *sent, *sent_at, *got, *got_at;

static void is_share_sizes(struct is *is) {
    MPI_Allgather(is->sizes, IS_SIZES, MPI_INT, is->all_sizes, IS_SIZES, MPI_INT, MPI_COMM_WORLD);
}

static void is_exchange(struct is *is) {
    is_place_in_buffer(is, buffer);
    is_scatter(is->n, is->keys, is->next);
    for (int i = 0, from = 0, to = 0; i < ranks; i++) {
        sent_at[i] = to;
        got_at[i] = from;
        to += sent[i] = (int)is_keys_of(is, rank, is->begin[i], is->begin[i + 1]);
        from += got[i] = (int)is_keys_of(is, i, is->begin[rank], is->begin[rank + 1]);
    }
    MPI_Alltoallv(buffer, sent, sent_at, MPI_INT, area, got, got_at, MPI_INT, MPI_COMM_WORLD);
    is_count(is->received, area, is_low(is), is->counts);
}

static void prepare(struct is *is) {
    is_prepare(is, rank, ranks);
    buffer = is_allocate((size_t)is->n, sizeof(int));
    area = is_allocate((size_t)is_room(ranks), sizeof(int));
    is->sizes = is_allocate(IS_SIZES, sizeof(int));
    is->keys = is_allocate((size_t)is->n, sizeof(int));
    is->counts = is_allocate(IS_MAX, sizeof(int));
    int **lists[] = {&sent, &sent_at, &got, &got_at};
    for (int i = 0; i < 4; i++) {
        *lists[i] = is_allocate((size_t)ranks, sizeof(int));
    }
    is_make_keys(is);
}

int main(int argc, char **argv) {
    static struct is is;
    npb_mpi_start(&argc, &argv);
    prepare(&is);
    is_begin(&is);
    double start = npb_mpi_begin();
    is_rank_all(&is);
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = bench_now() - start;
    int mine[2] = {is.passed, is_sorted(&is)}, all[2];
    MPI_Reduce(mine, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    return npb_mpi_end(rank == 0 ? is_finish(all[0], all[1], ranks, seconds) : 0);
}
