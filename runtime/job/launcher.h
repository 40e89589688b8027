/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Jobs that mpirun, srun or another launcher starts: processes are ranks, and find out from each
 * other what upcrun would have told them, by PMIx. Its library is loaded when it is needed:
 * libfurlong-pmix.so (pmix_client.c) is all that knows it. Where a launcher has no PMIx but starts
 * programs of MPI, MPI does the same (mpi_client.c, in the transport of each MPI).
 */
#ifndef FL_JOB_LAUNCHER_H
#define FL_JOB_LAUNCHER_H

#include "core/params.h"
#include "job/job.h"

#include <stddef.h>

enum { FL_LAUNCHER_ABI = 1, FL_LAUNCHER_PEERS_BYTES = 1 << 16 };

/* Receives what a process has given. */
typedef void fl_launcher_take(void *context, unsigned rank, const void *bytes, size_t n);

/* What the shared object exports. Texts are null, or why not, and live on. */
struct fl_launcher_ops {
    uint32_t abi;
    /* `peers` becomes the ranks on this machine, in any order, as in "0,2,1". */
    const char *(*start)(unsigned *rank_p, unsigned *size_p, char *peers, size_t room);
    /* All processes give some bytes, and take those of all. */
    const char *(*exchange)(const char *name, const void *own, size_t bytes, fl_launcher_take *take,
                            void *context);
    /* Waits until all processes have come here, and leaves; the process is about to end. */
    void (*finish)(void);
    /* Ends all processes of the job. May return. */
    void (*abort)(int status);
};
extern const struct fl_launcher_ops fl_launcher_ops;

/* Fatal if a launcher has started this process as one of several tasks: those of a launcher that
 * offers neither PMIx nor PMI would all run as jobs of one thread. For processes that nothing else
 * has told of a job, and whose user has not asked for one by UPC_THREADS. */
void fl_launcher_refuse_lone_task(void);

/* Whether a launcher with PMIx or PMI has started this process, as a rank of a job. */
bool fl_launcher_is_there(void);

/* The first rank of the rank's host. `peers` has the ranks of this machine, which counts as `hosts`
 * (0: one, and no more than there are ranks); the number of the rank's host among these goes to
 * *host_p. Fatal if the rank is not among the peers. */
unsigned fl_launcher_first_of_host(const char *peers, unsigned rank, unsigned hosts,
                                   unsigned *host_p);

/* If a launcher is there: fills the job, with the memory file of this host. Processes have `pthreads`
 * threads; the processes of this machine count as on so many hosts, 0: one, and no more than there are
 * processes. Blocks until the other processes do the same; fatal on failure. */
void fl_launcher_find_job(struct fl_job *job, const struct fl_params *params, unsigned pthreads,
                          unsigned hosts);

/* Before a process ends that has left its job: it waits for the others, if a launcher started them. */
void fl_launcher_finish(const struct fl_job *job);

#endif
