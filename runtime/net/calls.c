/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI_Init, MPI_Finalize and their like for programs that call MPI themselves.
 *
 * - Where the runtime already uses MPI (as transport, or to start the job), MPI runs from before main
 *   to after the last barrier: the program's MPI_Init finds it running, and its MPI_Finalize leaves
 *   it running.
 * - Where a process has several UPC threads, each runs main, and so calls these. The first MPI_Init
 *   starts MPI, for calls from all threads whatever level it asks for; MPI ends after the last
 *   barrier, for a thread that ends early cannot know whether another has yet to begin.
 * - Elsewhere the calls are MPI's.
 *
 * The linker takes these rather than a shared library's, wherever that stands on the command line.
 * They are weak because the program may have its own, or an archive with all of MPI. What they need
 * of MPI is the same in all of them; nothing here depends on mpi.h.
 */
#include "core/fatal.h"
#include "core/mutex.h"
#include "net/net.h"

#include <dlfcn.h>
#include <stdatomic.h>

#define CALL __attribute__((weak, visibility("default")))

CALL int MPI_Init(int *argc, char ***argv);
CALL int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
CALL int MPI_Finalize(void);
CALL int MPI_Finalized(int *flag);

enum { SUCCESS = 0, THREAD_MULTIPLE = 3 };

/* What a caller has called: the process, or one of its several UPC threads. Relaxed: calls of
 * different threads of a caller are in order by the program's doing. */
struct caller {
    _Atomic bool begun, ended;
};

static _Thread_local struct caller of_thread;

static struct {
    unsigned threads;  /* UPC threads of this process */
    unsigned apart;    /* processes of the job that MPI does not take for one */
    struct fl_mutex mutex;
    struct caller of_process;
    bool shared;       /* MPI runs because of one UPC thread, for all */
    _Atomic bool lent; /* MPI is not the caller's to end */
} calls = {.threads = 1};

void fl_net_mpi_callers(unsigned threads, unsigned apart) {
    calls.threads = threads;
    calls.apart = apart;
}

static struct caller *caller(void) {
    return calls.threads > 1 ? &of_thread : &calls.of_process;
}

static void *find(const char *name) {
    void *function = dlsym(RTLD_DEFAULT, name);
    if (!function) {
        fl_fatal(FL_CODE_NETWORK, "the program calls MPI, but is not linked with it: there is no %s",
                 name);
    }
    return function;
}

static bool asks(const char *name) {
    int (*flag_of)(int *) = (int (*)(int *))find(name);
    int flag = 0;
    flag_of(&flag);
    return flag;
}

static int init_thread(int *argc, char ***argv, int required, int *level) {
    int (*init)(int *, char ***, int, int *) =
        (int (*)(int *, char ***, int, int *))find("PMPI_Init_thread");
    return init(argc, argv, required, level);
}

/* Processes of upcrun are nothing to MPI: each becomes a job of its own. */
static void warn_apart(void) {
    if (calls.apart > 1) {
        fl_warn("the program calls MPI_Init, but was not started by MPI, which takes each of the "
                "%u processes for a job of one; start it with mpirun or mpiexec",
                calls.apart);
    }
}

static void need_multiple(int level) {
    if (level >= THREAD_MULTIPLE) {
        return;
    }
    if (calls.threads > 1) {
        fl_fatal(FL_CODE_MPI_THREADS,
                 "this process has %u UPC threads that call MPI, but this MPI lacks "
                 "MPI_THREAD_MULTIPLE; run one UPC thread in each process (without "
                 "UPC_PTHREADS_PER_PROC and upcc -pthreads), or use an MPI that was built with "
                 "support for threads",
                 calls.threads);
    }
    fl_fatal(FL_CODE_MPI_THREADS, "the runtime and the program cannot both use this MPI, which "
                                  "lacks MPI_THREAD_MULTIPLE; choose another transport");
}

/* Whether MPI runs for this call, because of the runtime or of another UPC thread. */
static bool borrow(int *argc, char ***argv, int *level_p, int *error_p) {
    *error_p = SUCCESS;
    /* Of two calls, the second is the program's mistake, and MPI's to report. */
    if (atomic_exchange_explicit(&caller()->begun, true, memory_order_relaxed)) {
        return false;
    }
    fl_mutex_lock(&calls.mutex);
    bool runs = asks("PMPI_Initialized");
    if (!runs && calls.threads > 1) {
        *error_p = init_thread(argc, argv, THREAD_MULTIPLE, level_p);
        calls.shared = runs = true;
        warn_apart();
    } else if (runs) {
        int (*query)(int *) = (int (*)(int *))find("PMPI_Query_thread");
        query(level_p);
    } else {
        warn_apart();
    }
    fl_mutex_unlock(&calls.mutex);
    if (runs && *error_p == SUCCESS) {
        need_multiple(*level_p);
        /* Relaxed: read by the caller's own MPI_Finalize. */
        atomic_store_explicit(&calls.lent, true, memory_order_relaxed);
    }
    return runs;
}

int MPI_Init(int *argc, char ***argv) {
    int level, error;
    if (borrow(argc, argv, &level, &error)) {
        return error;
    }
    int (*init)(int *, char ***) = (int (*)(int *, char ***))find("PMPI_Init");
    return init(argc, argv);
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    int error;
    return borrow(argc, argv, provided, &error) ? error
                                                : init_thread(argc, argv, required, provided);
}

int MPI_Finalize(void) {
    int (*finalize)(void) = (int (*)(void))find("PMPI_Finalize");
    if (!atomic_load_explicit(&calls.lent, memory_order_relaxed)) {
        return finalize();
    }
    if (atomic_exchange_explicit(&caller()->ended, true, memory_order_relaxed)) {
        fl_warn("MPI_Finalize is called for the second time; it does nothing");
    }
    return SUCCESS;
}

int MPI_Finalized(int *flag) {
    if (atomic_load_explicit(&caller()->ended, memory_order_relaxed)) {
        *flag = 1;
        return SUCCESS;
    }
    int (*finalized)(int *) = (int (*)(int *))find("PMPI_Finalized");
    return finalized(flag);
}

void fl_net_mpi_end(void) {
    if (calls.shared && !asks("PMPI_Finalized")) {
        int (*finalize)(void) = (int (*)(void))find("PMPI_Finalize");
        finalize();
    }
}

const char *fl_net_mpi_of_program(void) {
    if (!dlsym(RTLD_DEFAULT, "PMPI_Init")) {
        return NULL;
    }
    return dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") ? "openmpi" : "mpich";
}
