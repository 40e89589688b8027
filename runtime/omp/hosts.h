/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages between the OpenMP runtimes of a program's hosts in a region.
 *
 * At a barrier or at the end of a region all hosts must mean the same one, and no host may have a
 * task left. In programs that make tasks, or may cancel regions, hosts detect that termination
 * first: each tells host 0 when it is quiet, that is, when all its members have arrived and all its
 * tasks have ended; once all are, host 0 lets them go on, to the region's end if any host is there.
 * Until then a quiet host may be granted tasks of others. tests/litmus/giving.pml is the model.
 */
#ifndef FL_OMP_HOSTS_H
#define FL_OMP_HOSTS_H

#include "omp/affinity.h"
#include "omp/far.h"
#include "omp/team.h"

/* A region begins on this host, maybe on several; on host 0 before the fork. */
FL_COLD void fl_omp_hosts_begin_far(struct fl_omp_team *team);

static inline void fl_omp_hosts_begin(struct fl_omp_team *team) {
    if (FL_UNLIKELY(team->far)) {
        fl_omp_hosts_begin_far(team);
    } else if (FL_UNLIKELY(fl_omp_team_agrees(team))) {
        atomic_store_explicit(&team->agrees, false, memory_order_relaxed); /* see there */
    }
}

/* This host's part of the region is about to begin. */
void fl_omp_hosts_enter(struct fl_omp_team *team);

/* All members have arrived at a barrier; the last of them waits for the other hosts. */
void fl_omp_hosts_barrier(struct fl_omp_member *me);
/* For members that leave it: whether the region is over instead, as another host is at its end. */
bool fl_omp_hosts_are_over(void);
/* All hosts have passed the barrier: cancellations of constructs before it no longer hold. */
void fl_omp_hosts_passed(void);

/* All members are at the region's end. Returns when all hosts may join. */
void fl_omp_hosts_end(struct fl_omp_member *me);

/* Tells other hosts that a member has cancelled the region, or the construct before the next
 * barrier. */
void fl_omp_hosts_cancel(uint32_t what);

/* Tells other hosts of an affinity-format-var that the program has set, for regions that begin
 * later. */
void fl_omp_hosts_affinity(const struct fl_omp_affinity_format *format);

#endif
