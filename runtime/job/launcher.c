/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See launcher.h. The first rank of each host makes the host's memory file, which the others open
 * by way of /proc; rank 0 makes the job's key. Threads must be in the order of hosts, so ranks must
 * be.
 */
#include "job/launcher.h"

#include "core/fatal.h"
#include "core/install.h"
#include "net/net.h"
#include "platform/os.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum { NAME_BYTES = 72, CPU_WORDS = 16 };

/* What each process tells all others. */
struct record {
    uint32_t first_rank; /* of its host */
    int32_t pid, fd;     /* where the memory file is, from the first rank */
    uint64_t id;         /* of the job, as the key, from rank 0 */
    unsigned char key[FL_NET_KEY_BYTES];
    uint64_t cpus[CPU_WORDS]; /* that it may use, as bits */
    char name[NAME_BYTES];
};

struct records {
    struct record *all; /* [rank] */
    unsigned ranks;
};

static FL_COLD _Noreturn void fail(const char *why) {
    fl_fatal(FL_CODE_JOB_VARIABLE,
             "the program was started by a launcher with PMIx or MPI, but cannot join its job: %s",
             why);
}

static void *load_pmix(const char *folder) {
    char file[PATH_MAX];
    if (!fl_install_find_object("pmix", folder, file, sizeof file)) {
        fail("libfurlong-pmix.so is not found; put the bin folder of Furlong's installation into "
             "PATH");
    }
    void *object = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!object) {
        const char *message = dlerror();
        char why[512];
        bool lacks_pmix = strncmp(message, "libpmix", 7) == 0;
        snprintf(why, sizeof why, "%s%s", message,
                 lacks_pmix ? " (Debian package libpmix2 or libpmix2t64)" : "");
        fail(why);
    }
    return object;
}

static bool has_pmix(void) {
    return fl_params_foreign("PMIX_RANK") != NULL;
}

/* MPICH's launchers have no PMIx. */
static const char *which_mpi(void) {
    const char *of_program = fl_net_mpi_of_program();
    return of_program ? of_program : has_pmix() ? "openmpi" : "mpich";
}

static void *load_mpi(const char *folder) {
    const char *why;
    void *object = fl_net_open_object(which_mpi(), folder, &why);
    if (!object) {
        fail(why);
    }
    return object;
}

/* PMIx 5 and newer name the ways in which their server hands out its data; memory is one of them. */
static bool is_pmix_5(void) {
    const char *ways = fl_params_foreign("PMIX_GDS_MODULE");
    return ways && strstr(ways, "shmem2");
}

/* The memory is mapped at an address of the server's choice, which is among those of shared memory
 * more often than not, and PMIx gives up where it cannot be. This setting has the server send the data
 * instead. MPI_Init may start PMIx before the runtime does: hence a constructor. */
__attribute__((constructor)) static void have_pmix_send(void) {
    if (is_pmix_5()) {
        setenv("PMIX_MCA_gds", "hash", 0);
    }
}

bool fl_launcher_is_there(void) {
    return has_pmix() || fl_params_foreign("PMI_RANK");
}

/* Whether the program is one of Open MPI, or the transport will be. */
static bool uses_open_mpi(const struct fl_params *params) {
    const char *transport = params->transport ? params->transport : "";
    bool is_transport = strcmp(transport, "mpi") == 0 || strcmp(transport, "openmpi") == 0;
    return strcmp(which_mpi(), "openmpi") == 0 && (is_transport || fl_net_mpi_of_program());
}

/* Open MPI 5 does not learn its own name if the runtime has started PMIx before it. */
static bool joins_by_mpi(const struct fl_params *params) {
    return !has_pmix() || (is_pmix_5() && uses_open_mpi(params));
}

static const struct fl_launcher_ops *load(const struct fl_params *params) {
    void *object =
        joins_by_mpi(params) ? load_mpi(params->net_path) : load_pmix(params->net_path);
    const struct fl_launcher_ops *ops = dlsym(object, "fl_launcher_ops");
    if (!ops || ops->abi != FL_LAUNCHER_ABI) {
        fail("its library belongs to another version of Furlong");
    }
    return ops;
}

static void take_record(void *context, unsigned rank, const void *bytes, size_t n) {
    struct records *records = context;
    if (rank >= records->ranks || n != sizeof(struct record)) {
        fail("rank 0 belongs to another version of Furlong");
    }
    memcpy(&records->all[rank], bytes, n);
}

unsigned fl_launcher_first_of_host(const char *peers, unsigned rank, unsigned hosts,
                                   unsigned *host_p) {
    unsigned n = 0, mine = 0;
    bool is_there = false;
    for (const char *at = peers; at; at = strchr(at, ','), at = at ? at + 1 : NULL) {
        unsigned peer = (unsigned)strtoul(at, NULL, 10);
        n++;
        mine += peer < rank;
        is_there |= peer == rank;
    }
    if (!is_there) {
        fail("PMIX_LOCAL_PEERS does not name this process");
    }
    hosts = hosts == 0 ? 1 : hosts < n ? hosts : n;
    *host_p = mine * hosts / n;
    unsigned first = (*host_p * n + hosts - 1) / hosts;
    return rank - (mine - first);
}

static void describe(struct record *own, unsigned rank, const char *peers, unsigned hosts) {
    unsigned part;
    char machine[NAME_BYTES - 12] = "";
    own->first_rank = fl_launcher_first_of_host(peers, rank, hosts, &part);
    own->pid = getpid();
    own->fd = -1;
    (void)gethostname(machine, sizeof machine - 1);
    snprintf(own->name, sizeof own->name, hosts > 1 ? "%s/%u" : "%s", machine, part);
    fl_os_cpu_set(own->cpus, CPU_WORDS);
    if (own->first_rank == rank) {
        int error = fl_os_memory_create("furlong", &own->fd);
        if (error) {
            fail(strerror(-error));
        }
    }
    if (rank == 0 && (getrandom(&own->id, sizeof own->id, 0) != sizeof own->id ||
                      getrandom(own->key, sizeof own->key, 0) != sizeof own->key)) {
        fail("no random numbers for the job's key");
    }
}

static unsigned count_cpus(const struct records *records, unsigned first_rank) {
    unsigned n = 0;
    for (unsigned word = 0; word < CPU_WORDS; word++) {
        uint64_t cpus = 0;
        for (unsigned r = 0; r < records->ranks; r++) {
            cpus |= records->all[r].first_rank == first_rank ? records->all[r].cpus[word] : 0;
        }
        n += (unsigned)__builtin_popcountll(cpus);
    }
    return n;
}

/* A job of one host needs no lists. Text for a host: its first thread, its name. */
static void list_hosts(struct fl_job *job, const struct records *records) {
    size_t room = records->ranks * (size_t)(NAME_BYTES + 12);
    char *first = calloc(2, room);
    if (!first) {
        fail("no memory");
    }
    char *name = first + room, *first_end = first, *name_end = name;
    job->hosts = 0;
    for (unsigned r = 0, leader = 0; r < records->ranks; r++) {
        const struct record *record = &records->all[r];
        if (record->first_rank == r) {
            leader = r;
            first_end += sprintf(first_end, "%s%u", r ? ":" : "", r * job->pthreads);
            name_end += sprintf(name_end, "%s", record->name) + 1;
            job->host = r <= job->proc ? job->hosts : job->host;
            job->hosts++;
        } else if (record->first_rank != leader) {
            fail("the ranks of a host are not consecutive; start the job with "
                 "`mpirun --map-by slot` or `srun -m block`");
        }
    }
    job->text = job->host_first = first;
    job->names = name;
}

static void open_memory(struct fl_job *job, const struct record *first) {
    if (first->pid == getpid()) {
        job->mem = first->fd;
        return;
    }
    int error = fl_os_memory_open(first->pid, first->fd, &job->mem);
    if (error) {
        char why[200];
        snprintf(why, sizeof why, "the memory file of process %d on this host cannot be opened: %s",
                 first->pid, strerror(-error));
        fail(why);
    }
}

/* What launchers say of a task: its rank, and how many there are, all or on this host. */
static const struct {
    const char *launcher, *rank, *tasks, *instead;
} foreign[] = {
    {"srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "use `srun --mpi=pmix`"},
    {"PALS", "PALS_RANKID", "PALS_LOCAL_SIZE", "ask it for PMIx"},
    {"jsrun", "JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", "ask it for PMIx"},
    {"flux", "FLUX_TASK_RANK", "FLUX_JOB_SIZE", "use `flux run -o pmi=pmix`"},
    {"mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "ask it for PMIx"},
};

static unsigned long number_of(const char *variable) {
    const char *text = fl_params_foreign(variable);
    return text ? strtoul(text, NULL, 10) : 0;
}

void fl_launcher_refuse_lone_task(void) {
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        unsigned long rank = number_of(foreign[i].rank), tasks = number_of(foreign[i].tasks);
        if (fl_params_foreign(foreign[i].rank) && (rank > 0 || tasks > 1)) {
            fl_fatal(FL_CODE_LONE_TASKS,
                     "%s has started this process as task %lu%s, and offers neither PMIx nor PMI, "
                     "by which the tasks could find each other; %s, or start the job with upcrun; "
                     "UPC_THREADS=1 lets each task run alone",
                     foreign[i].launcher, rank, tasks > 1 ? " of several" : "", foreign[i].instead);
        }
    }
}

static const char *choose_transport(const struct fl_params *params) {
    const char *wanted = params->transport ? params->transport : "ucx";
    return !has_pmix() && strcmp(wanted, "mpi") == 0 ? which_mpi() : wanted;
}

void fl_launcher_find_job(struct fl_job *job, const struct fl_params *params, unsigned pthreads,
                          unsigned hosts) {
    static char peers[FL_LAUNCHER_PEERS_BYTES];
    const struct fl_launcher_ops *launcher = load(params);
    unsigned rank;
    struct records records;
    const char *why = launcher->start(&rank, &records.ranks, peers, sizeof peers);
    if (why) {
        fail(why);
    }
    struct record own = {0};
    describe(&own, rank, peers, hosts);
    records.all = calloc(records.ranks, sizeof *records.all);
    why = records.all
              ? launcher->exchange("furlong.process", &own, sizeof own, take_record, &records)
              : "no memory";
    if (why) {
        fail(why);
    }
    fl_job_alone(job);
    job->launcher = launcher;
    job->procs = records.ranks;
    job->proc = rank;
    job->pthreads = job->count = pthreads;
    job->threads = job->procs * job->pthreads;
    job->first = rank * job->pthreads;
    job->id = records.all[0].id;
    memcpy(job->key, records.all[0].key, sizeof job->key);
    job->heap = params->shared_heap;
    job->net = (char *)(uintptr_t)choose_transport(params);
    job->interface = (char *)(uintptr_t)params->interface;
    job->host_cpus = count_cpus(&records, own.first_rank);
    list_hosts(job, &records);
    open_memory(job, &records.all[own.first_rank]);
    free(records.all);
}

void fl_launcher_finish(const struct fl_job *job) {
    if (job->launcher) {
        job->launcher->finish();
    }
}
