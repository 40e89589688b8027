/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Declarations for the files of this room: OpenSHMEM on the ranks, segments and teams of gas. A PE
 * is a rank.
 *
 * A segment begins with the program's own variables, which start.c maps there; the heap follows.
 * Each PE has a list of heap blocks of its own; the lists agree, since all PEs allocate alike.
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

/* Makes [base, base + bytes) the heap of this PE. */
void furlong_shmem_heap_start(uint64_t base, uint64_t bytes);
/* Makes SHMEM_TEAM_SHARED. Collective over all PEs. */
void furlong_shmem_teams_start(void);

/* Ends the program with an error before shmem_init, and after shmem_finalize. */
void furlong_shmem_check_started(const char *function);
/* Ends the program with an error that says what is wrong with a symmetric address, or with a PE. */
_Noreturn void furlong_shmem_misuse(const void *symmetric, int pe);
/* A member's number in the job. */
static inline int shmem_job_pe(shmem_team_t team, int member) {
    return (int)gas_team_to_job(team->members, (gas_rank_t)member);
}

#endif
