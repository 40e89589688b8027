/* SPDX-License-Identifier: BSD-3-Clause */
/* What holds for the whole program: settings, as the environment has them. OpenMP 5.1 §6. */
#ifndef FL_OMP_PROGRAM_H
#define FL_OMP_PROGRAM_H

#include "omp/icv.h"

#include <stddef.h>

enum { FL_OMP_LEVELS = 8 }; /* nesting levels for which settings have values of their own */

struct fl_omp_program {
    struct fl_omp_icvs icvs; /* of the initial task */
    unsigned cpus;           /* that threads may use */
    uint64_t stack;          /* of workers; 0: the system's choice */
    uint64_t spins, yields;  /* 0: chosen */
    bool cancellation;       /* cancel-var */
    uint32_t max_task_priority; /* max-task-priority-var */
    unsigned n_threads;      /* of OMP_NUM_THREADS: how many values */
    uint32_t threads[FL_OMP_LEVELS];
};

/* Written before there are threads. */
extern struct fl_omp_program fl_omp_program;

/* What tasks of a region at that level begin with, beyond what they inherit. */
static inline void fl_omp_program_inherit(struct fl_omp_icvs *icvs, unsigned level) {
    if (level < fl_omp_program.n_threads) {
        icvs->threads = fl_omp_program.threads[level];
    }
}

#endif
