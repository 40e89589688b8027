/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of an MPI transport share. */
#ifndef FL_NET_MPI_H
#define FL_NET_MPI_H

#include "net/net.h"

#include <mpi.h>
#include <stdbool.h>

enum { FL_MPI_RECEIVES = 16 }; /* posted, so that messages go to their place at once */

struct fl_mpi_message;
struct fl_mpi_window;

struct fl_net {
    struct fl_net_setup setup;
    MPI_Comm comm;
    bool initialised_here;
    int *ranks; /* of each process */
    bool *lost;
    struct fl_mpi_receive {
        MPI_Request request;
        struct fl_net_text *text;
    } receives[FL_MPI_RECEIVES];
    unsigned next_receive;
    struct fl_mpi_message *first, **last; /* on their way, oldest first */
    struct fl_mpi_message *free;
    struct fl_mpi_window *window; /* null: there are no one-sided operations */
};

/* MPI runs when this returns; *here_p: because of this call, so that the caller has to end it. Null,
 * or why not: text that lives on. */
const char *fl_net_mpi_start(bool *here_p);
void fl_net_mpi_finalize(void);

/* Reports once that a process can no longer be reached: what failed, and MPI's word for it. */
void fl_mpi_lose(struct fl_net *net, unsigned peer, const char *what, int error);

/* ---- one-sided operations (mpi_window.c) ---- */

extern const struct fl_net_one_sided fl_mpi_one_sided;

/* Collective: makes net->window if all processes want it and this MPI can. */
void fl_mpi_window_open(struct fl_net *net);

/* Moves operations on; how many have ended. */
unsigned fl_mpi_window_poll(struct fl_net *net);

/* Frees net->window; collective if `together`. */
void fl_mpi_window_close(struct fl_net *net, bool together);

#endif
