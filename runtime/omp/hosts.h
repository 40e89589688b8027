/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the OpenMP runtimes of a program's hosts tell each other in a region.
 *
 * Where hosts meet, at a barrier or at the end of a region, all must mean the same, and nobody may
 * have a task left. In programs that make tasks, or may cancel regions, hosts agree on that first: each
 * tells host 0 when it is quiet, that is when all its members have come and all its tasks have ended;
 * and goes on when host 0 says so, to the region's end if any host is there. Until then it may be given
 * tasks of others. tests/litmus/giving.pml is the model.
 */
#ifndef FL_OMP_HOSTS_H
#define FL_OMP_HOSTS_H

#include "omp/affinity.h"
#include "omp/far.h"
#include "omp/team.h"

/* A region begins here, maybe on several hosts; on host 0 before others are told. */
FL_COLD void fl_omp_hosts_begin_far(struct fl_omp_team *team);

static inline void fl_omp_hosts_begin(struct fl_omp_team *team) {
    if (FL_UNLIKELY(team->far)) {
        fl_omp_hosts_begin_far(team);
    } else if (FL_UNLIKELY(fl_omp_team_agrees(team))) {
        atomic_store_explicit(&team->agrees, false, memory_order_relaxed); /* see there */
    }
}

/* This host's part of it is about to begin. */
void fl_omp_hosts_enter(struct fl_omp_team *team);

/* All members have come to a barrier; the last of them waits for the other hosts. */
void fl_omp_hosts_barrier(struct fl_omp_member *me);
/* For those that leave it: whether the region is over instead, as members of other hosts have left. */
bool fl_omp_hosts_are_over(void);
/* What was cancelled until the barrier no longer is. */
void fl_omp_hosts_passed(void);

/* All members have come to the region's end. Returns when all hosts may join. */
void fl_omp_hosts_end(struct fl_omp_member *me);

/* A member has cancelled the region, or the construct before the next barrier. */
void fl_omp_hosts_cancel(uint32_t what);

/* The program sets how threads say where they run: so do those of regions that begin later. */
void fl_omp_hosts_affinity(const struct fl_omp_affinity_format *format);

#endif
