/* SPDX-License-Identifier: BSD-3-Clause */
/* What pmix_client.c does, by MPI, for launchers that only MPI understands; part of the transport
 * of each MPI. See launcher.h. */
#include "job/launcher.h"
#include "net/mpi.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static MPI_Comm comm;
static int n_ranks;
static bool initialised_here;

static const char *failed(const char *what, int error) {
    static char why[MPI_MAX_ERROR_STRING + 100];
    char words[MPI_MAX_ERROR_STRING] = "";
    int length;
    MPI_Error_string(error, words, &length);
    snprintf(why, sizeof why, "%s: %s", what, words);
    return why;
}

static const char *list_peers(int rank, char *peers, size_t room) {
    MPI_Comm host;
    int error = MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host);
    if (error != MPI_SUCCESS) {
        return failed("MPI_Comm_split_type", error);
    }
    int n;
    MPI_Comm_size(host, &n);
    int *ranks = calloc((size_t)n, sizeof *ranks);
    error = ranks ? MPI_Allgather(&rank, 1, MPI_INT, ranks, 1, MPI_INT, host) : MPI_ERR_NO_MEM;
    size_t length = 0;
    for (int i = 0; error == MPI_SUCCESS && i < n && length < room; i++) {
        length += (size_t)snprintf(peers + length, room - length, i ? ",%d" : "%d", ranks[i]);
    }
    free(ranks);
    MPI_Comm_free(&host);
    if (error != MPI_SUCCESS) {
        return failed("MPI_Allgather", error);
    }
    return length < room ? NULL : "too many processes on this host";
}

static const char *start(unsigned *rank_p, unsigned *size_p, char *peers, size_t room) {
    const char *why = fl_net_mpi_start(&initialised_here);
    if (why) {
        return why;
    }
    int error = MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (error != MPI_SUCCESS) {
        return failed("MPI_Comm_dup", error);
    }
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    int rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &n_ranks);
    *rank_p = (unsigned)rank;
    *size_p = (unsigned)n_ranks;
    return list_peers(rank, peers, room);
}

/* Each gives what `counts` says, as a part of `all`, which begins at its place in `places`. */
static int gather(const void *own, int bytes, int *counts, int *places, char **all_p) {
    int error = MPI_Allgather(&bytes, 1, MPI_INT, counts, 1, MPI_INT, comm);
    int sum = 0;
    for (int i = 0; i < n_ranks; i++) {
        places[i] = sum;
        sum += counts[i];
    }
    *all_p = error == MPI_SUCCESS ? malloc((size_t)sum + 1) : NULL;
    return error != MPI_SUCCESS ? error
           : !*all_p            ? MPI_ERR_NO_MEM
                                : MPI_Allgatherv(own, bytes, MPI_BYTE, *all_p, counts, places,
                                                 MPI_BYTE, comm);
}

static const char *exchange(const char *name, const void *own, size_t bytes, fl_launcher_take *take,
                            void *context) {
    (void)name; /* all come here in the same order */
    int *counts = calloc(2 * (size_t)n_ranks, sizeof *counts);
    if (!counts) {
        return "no memory";
    }
    int *places = counts + n_ranks;
    char *all;
    int error = gather(own, (int)bytes, counts, places, &all);
    for (int i = 0; error == MPI_SUCCESS && i < n_ranks; i++) {
        take(context, (unsigned)i, all + places[i], (size_t)counts[i]);
    }
    free(all);
    free(counts);
    return error == MPI_SUCCESS ? NULL : failed("MPI_Allgatherv", error);
}

static void finish(void) {
    MPI_Barrier(comm);
    if (initialised_here) {
        fl_net_mpi_finalize();
    }
}

static void end_all(int status) {
    MPI_Abort(MPI_COMM_WORLD, status);
}

__attribute__((visibility("default"))) const struct fl_launcher_ops fl_launcher_ops = {
    .abi = FL_LAUNCHER_ABI,
    .start = start,
    .exchange = exchange,
    .finish = finish,
    .abort = end_all,
};
