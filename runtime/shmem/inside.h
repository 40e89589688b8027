/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenSHMEM on the ranks, segments and teams of gas: a PE is a rank. What the files of this room
 * share.
 *
 * A segment begins with the program's own variables, which `start.c` maps there; then comes the heap.
 * Its bookkeeping is each PE's own and the same in all, since all PEs allocate alike (heap.c).
 */
#ifndef FL_SHMEM_INSIDE_H
#define FL_SHMEM_INSIDE_H

#include "furlong/gas.h"
#include "gas/inside.h"
#include "shmem.h"

struct furlong_shmem_team {
    gas_team_t members;
    shmem_team_config_t config;
};

struct furlong_shmem_ctx {
    shmem_team_t team;
};

/* The heap lies at [base, base + bytes) of this PE. */
void shmem_heap_start(uint64_t base, uint64_t bytes);
/* The teams of all PEs and of this host's. */
void shmem_teams_start(void);

/* Ends the program with an error if shmem_init has not been called. */
void shmem_check_started(const char *function);
/* The job's number of a member. */
static inline int shmem_job_pe(shmem_team_t team, int member) {
    return (int)gas_team_to_job(team->members, (gas_rank_t)member);
}

#endif
