/* SPDX-License-Identifier: BSD-3-Clause */
/* What holds for the whole program: settings, as the environment has them. OpenMP 5.1 §6. */
#ifndef FL_OMP_PROGRAM_H
#define FL_OMP_PROGRAM_H

#include "omp/icv.h"

#include <stddef.h>

enum {
    FL_OMP_LEVELS = 8,        /* nesting levels for which settings have values of their own */
    FL_OMP_MOST_LEVELS = 255, /* of active regions */
    FL_OMP_NO_LIMIT = 0x7fffffff
};

enum fl_omp_waiting { FL_OMP_WAIT_UNSET, FL_OMP_WAIT_PASSIVE, FL_OMP_WAIT_ACTIVE };
enum fl_omp_offload { FL_OMP_OFFLOAD_DEFAULT, FL_OMP_OFFLOAD_MANDATORY, FL_OMP_OFFLOAD_DISABLED };
enum fl_omp_shown { FL_OMP_SHOW_NOTHING, FL_OMP_SHOW, FL_OMP_SHOW_VERBOSE };

struct fl_omp_program {
    struct fl_omp_icvs icvs; /* of the initial task */
    unsigned cpus;           /* that threads may use */
    uint64_t stack;          /* of workers; 0: the system's choice */
    uint64_t spins;          /* looks while waiting; 0: chosen, UINT64_MAX: for ever */
    enum fl_omp_waiting waiting;
    bool cancellation;       /* cancel-var */
    uint32_t max_task_priority; /* max-task-priority-var */
    unsigned n_threads;      /* of OMP_NUM_THREADS: how many values */
    uint32_t threads[FL_OMP_LEVELS];
    unsigned n_binds;        /* of OMP_PROC_BIND */
    uint8_t binds[FL_OMP_LEVELS];
    uint32_t teams;              /* nteams-var; 0: the runtime's choice */
    uint32_t teams_thread_limit; /* 0: none */
    enum fl_omp_offload offload;
    enum fl_omp_shown show_settings;
    bool show_affinity;
    const char *affinity_format;
};

/* Written before there are threads, but for what omp_set_num_teams and the like change. */
extern struct fl_omp_program fl_omp_program;

/* Reads the environment. Warns of invalid values, which have no effect. */
void fl_omp_settings_read(struct fl_omp_program *program);

/* omp_display_env. */
void fl_omp_settings_show(const struct fl_omp_program *program, bool verbose);

/* CPUs for threads; over several hosts: the job's threads per host, for each host. */
unsigned fl_omp_processors(void);

/* nthreads-var; 0 stands for as many as there are processors. */
static inline unsigned fl_omp_threads(const struct fl_omp_icvs *icvs) {
    return icvs->threads ? icvs->threads : fl_omp_processors();
}

/* Sets what OMP_NUM_THREADS and OMP_PROC_BIND list for tasks of regions at that level. */
static inline void fl_omp_program_inherit(struct fl_omp_icvs *icvs, unsigned level) {
    if (level < fl_omp_program.n_threads) {
        icvs->threads = fl_omp_program.threads[level];
    }
    if (level < fl_omp_program.n_binds) {
        icvs->bind = fl_omp_program.binds[level];
    }
}

#endif
