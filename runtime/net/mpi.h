/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of an MPI transport share. */
#ifndef FL_NET_MPI_H
#define FL_NET_MPI_H

#include <stdbool.h>

/* MPI runs when this returns; *here_p: because of this call, so that the caller has to end it. Null,
 * or why not: text that lives on. */
const char *fl_net_mpi_start(bool *here_p);

#endif
