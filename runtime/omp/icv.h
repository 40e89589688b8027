/* SPDX-License-Identifier: BSD-3-Clause */
/* Internal control variables: those of each task, and those of the program. OpenMP 5.1 §2.4. */
#ifndef FL_OMP_ICV_H
#define FL_OMP_ICV_H

#include <stdbool.h>
#include <stdint.h>

/* Numbered as omp_sched_t does. */
enum fl_omp_schedule {
    FL_OMP_RUNTIME = 0,
    FL_OMP_STATIC = 1,
    FL_OMP_DYNAMIC = 2,
    FL_OMP_GUIDED = 3,
    FL_OMP_AUTO = 4
};
#define FL_OMP_MONOTONIC 0x80000000u

/* Numbered as omp_proc_bind_t does. */
enum fl_omp_bind {
    FL_OMP_BIND_FALSE = 0,
    FL_OMP_BIND_TRUE = 1,
    FL_OMP_BIND_PRIMARY = 2,
    FL_OMP_BIND_CLOSE = 3,
    FL_OMP_BIND_SPREAD = 4
};

/* Internal control variables of a task: inherited by tasks that it makes and regions that it
 * begins. */
struct fl_omp_icvs {
    uint32_t threads;      /* nthreads-var, for the next region */
    uint32_t thread_limit; /* thread-limit-var */
    uint32_t max_active_levels;
    uint32_t schedule; /* run-sched-var: fl_omp_schedule, maybe with FL_OMP_MONOTONIC */
    int64_t chunk;     /* 0: none given */
    uintptr_t allocator;
    int32_t device; /* default-device-var */
    uint32_t team, teams; /* of the league around: omp_get_team_num, omp_get_num_teams; 0: no league */
    uint8_t bind;   /* bind-var, for the next region */
    bool dynamic;   /* dyn-var */
};

#endif
