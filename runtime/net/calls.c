/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI_Init, MPI_Finalize and their like for programs that call MPI themselves. The rules below are
 * those of the functions named PMPI_..., which Fortran's bindings and profilers call; the others
 * hand the call to the profiler that a shared library has, if one has.
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
#include "net/mpi_own.h"
#include "net/net.h"

#include <dlfcn.h>
#include <stdatomic.h>

#define CALL __attribute__((weak, visibility("default")))

typedef int init_function(int *argc, char ***argv);
typedef int init_thread_function(int *argc, char ***argv, int required, int *provided);
typedef int finalize_function(void);
typedef int flag_function(int *flag);

CALL init_function MPI_Init, PMPI_Init;
CALL init_thread_function MPI_Init_thread, PMPI_Init_thread;
CALL finalize_function MPI_Finalize, PMPI_Finalize;
CALL flag_function MPI_Finalized, PMPI_Finalized;

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
    _Atomic bool profiled; /* a profiler has begun */
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

static void *own(const char *name) {
    return fl_net_mpi_own(find("PMPI_Initialized"), name);
}

static bool answer_of(flag_function *function) {
    int flag = 0;
    function(&flag);
    return flag;
}

static int init_thread(int *argc, char ***argv, int required, int *level) {
    return ((init_thread_function *)own("PMPI_Init_thread"))(argc, argv, required, level);
}

/* What a shared library has under this name that is not MPI's own: a profiler, preloaded or linked.
 * It calls PMPI in its turn. Null if there is none. */
static void *profiler(const char *name) {
    void *next = dlsym(RTLD_NEXT, name);
    return next && next != own(name) ? next : NULL;
}

/* Threads of a process begin a profiler once. Relaxed: nothing else is read or written by it. */
static void *profiler_to_begin(const char *name) {
    void *found = profiler(name);
    bool has_begun = found && atomic_exchange_explicit(&calls.profiled, true, memory_order_relaxed);
    return has_begun && calls.threads > 1 ? NULL : found;
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
    bool runs = answer_of((flag_function *)find("PMPI_Initialized"));
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

int PMPI_Init(int *argc, char ***argv) {
    int level, error;
    return borrow(argc, argv, &level, &error) ? error
                                              : ((init_function *)own("PMPI_Init"))(argc, argv);
}

int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    int error;
    return borrow(argc, argv, provided, &error) ? error
                                                : init_thread(argc, argv, required, provided);
}

int PMPI_Finalize(void) {
    if (!atomic_load_explicit(&calls.lent, memory_order_relaxed)) {
        return ((finalize_function *)own("PMPI_Finalize"))();
    }
    if (atomic_exchange_explicit(&caller()->ended, true, memory_order_relaxed)) {
        fl_warn("MPI_Finalize is called for the second time; it does nothing");
    }
    return SUCCESS;
}

int PMPI_Finalized(int *flag) {
    if (atomic_load_explicit(&caller()->ended, memory_order_relaxed)) {
        *flag = 1;
        return SUCCESS;
    }
    return ((flag_function *)own("PMPI_Finalized"))(flag);
}

int MPI_Init(int *argc, char ***argv) {
    init_function *profiled = (init_function *)profiler_to_begin("MPI_Init");
    return profiled ? profiled(argc, argv) : PMPI_Init(argc, argv);
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    init_thread_function *profiled = (init_thread_function *)profiler_to_begin("MPI_Init_thread");
    return profiled ? profiled(argc, argv, required, provided)
                    : PMPI_Init_thread(argc, argv, required, provided);
}

/* A profiler gathers its data then, which must be all threads'. */
int MPI_Finalize(void) {
    finalize_function *profiled =
        calls.threads > 1 ? NULL : (finalize_function *)profiler("MPI_Finalize");
    return profiled ? profiled() : PMPI_Finalize();
}

int MPI_Finalized(int *flag) {
    return PMPI_Finalized(flag);
}

void fl_net_mpi_end(void) {
    if (calls.shared && !answer_of((flag_function *)own("PMPI_Finalized"))) {
        /* Relaxed: this is the last thread. */
        atomic_store_explicit(&calls.lent, false, memory_order_relaxed);
        finalize_function *profiled = (finalize_function *)profiler("MPI_Finalize");
        (profiled ? profiled : PMPI_Finalize)();
    }
}

const char *fl_net_mpi_of_program(void) {
    if (!dlsym(RTLD_DEFAULT, "PMPI_Initialized")) {
        return NULL;
    }
    return dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") ? "openmpi" : "mpich";
}
