/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI_Init, MPI_Finalize and their like for programs that call MPI themselves. Where the runtime
 * already uses MPI (as transport, or to start the job), MPI runs from before main to after the last
 * barrier: the program's MPI_Init then finds it running, and its MPI_Finalize leaves it running.
 * Elsewhere the calls are MPI's.
 *
 * The linker takes these rather than a shared library's, wherever that stands on the command line.
 * They are weak because the program may have its own, or an archive with all of MPI. What they need
 * of MPI is the same in all of them; nothing here depends on mpi.h.
 */
#include "core/fatal.h"
#include "net/net.h"

#include <dlfcn.h>
#include <stdatomic.h>

#define CALL __attribute__((weak, visibility("default")))

CALL int MPI_Init(int *argc, char ***argv);
CALL int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
CALL int MPI_Finalize(void);
CALL int MPI_Finalized(int *flag);

enum { SUCCESS = 0, THREAD_MULTIPLE = 3 };

/* Relaxed, both: calls of different threads are in order by the program's doing. */
static _Atomic bool borrowed; /* the program's MPI_Init has found MPI running */
static _Atomic bool returned; /* and its MPI_Finalize has been called */

static void *find(const char *name) {
    void *function = dlsym(RTLD_DEFAULT, name);
    if (!function) {
        fl_fatal(FL_CODE_NETWORK, "the program calls MPI, but is not linked with it: there is no %s",
                 name);
    }
    return function;
}

/* Whether MPI already runs, and what it then allows threads to do. */
static bool borrow(int *level) {
    int (*initialized)(int *) = (int (*)(int *))find("PMPI_Initialized");
    int (*query)(int *) = (int (*)(int *))find("PMPI_Query_thread");
    int running = 0;
    initialized(&running);
    /* Of two calls, the second is the program's mistake, and MPI's to report. */
    if (!running || atomic_exchange_explicit(&borrowed, true, memory_order_relaxed)) {
        return false;
    }
    query(level);
    if (*level < THREAD_MULTIPLE) {
        fl_fatal(FL_CODE_NETWORK, "the runtime and the program cannot both use this MPI, which "
                                  "lacks MPI_THREAD_MULTIPLE; choose another transport");
    }
    return true;
}

int MPI_Init(int *argc, char ***argv) {
    int (*init)(int *, char ***) = (int (*)(int *, char ***))find("PMPI_Init");
    int level;
    return borrow(&level) ? SUCCESS : init(argc, argv);
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    int (*init)(int *, char ***, int, int *) =
        (int (*)(int *, char ***, int, int *))find("PMPI_Init_thread");
    return borrow(provided) ? SUCCESS : init(argc, argv, required, provided);
}

int MPI_Finalize(void) {
    int (*finalize)(void) = (int (*)(void))find("PMPI_Finalize");
    bool is_ours = atomic_load_explicit(&borrowed, memory_order_relaxed);
    if (is_ours && !atomic_exchange_explicit(&returned, true, memory_order_relaxed)) {
        return SUCCESS;
    }
    return finalize();
}

int MPI_Finalized(int *flag) {
    int (*finalized)(int *) = (int (*)(int *))find("PMPI_Finalized");
    if (atomic_load_explicit(&returned, memory_order_relaxed)) {
        *flag = 1;
        return SUCCESS;
    }
    return finalized(flag);
}

const char *fl_net_mpi_of_program(void) {
    if (!dlsym(RTLD_DEFAULT, "PMPI_Init")) {
        return NULL;
    }
    return dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") ? "openmpi" : "mpich";
}
