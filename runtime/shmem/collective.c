/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective operations of teams, on those of gas: OpenSHMEM 1.5, 9.9. A function returns when the
 * calling PE's result has arrived and the PE may change its source. */
#include "shmem/inside.h"

#include <stdlib.h>

static gas_team_t members_of(shmem_team_t team, const char *function) {
    furlong_shmem_check_started(function);
    if (!team) {
        gas_misuse("%s: the team is SHMEM_TEAM_INVALID", function);
    }
    return team->members;
}

void shmem_sync_all(void) {
    furlong_shmem_check_started("shmem_sync_all");
    /* No label: the program's stores come before the barrier. */
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    gas_barrier();
}

void shmem_barrier_all(void) {
    furlong_shmem_check_started("shmem_barrier_all");
    shmem_quiet();
    gas_barrier();
}

int shmem_team_sync(shmem_team_t team) {
    gas_team_barrier(members_of(team, "shmem_team_sync"));
    return 0;
}

int shmem_broadcastmem(shmem_team_t team, void *dest, const void *source, size_t bytes, int root) {
    gas_team_t members = members_of(team, "shmem_broadcast");
    if (root < 0 || root >= shmem_team_n_pes(team)) {
        gas_misuse("shmem_broadcast: the root is PE %d in a team of %d PEs", root,
                   shmem_team_n_pes(team));
    }
    gas_team_broadcast(members, (gas_rank_t)root, dest, source, bytes);
    return 0;
}

int shmem_fcollectmem(shmem_team_t team, void *dest, const void *source, size_t bytes) {
    gas_team_gather(members_of(team, "shmem_fcollect"), GAS_EVERYBODY, dest, source, bytes);
    return 0;
}

/* Blocks of different lengths: each member computes the offset of its own block from the gathered
 * lengths, and puts the block to all members. */
int shmem_collectmem(shmem_team_t team, void *dest, const void *source, size_t bytes) {
    gas_team_t members = members_of(team, "shmem_collect");
    unsigned n = gas_team_size(members), me = gas_team_rank(members);
    uint64_t own = bytes, before = 0;
    uint64_t *all = malloc(n * sizeof *all);
    if (!all) {
        fl_fatal(FL_CODE_PRIVATE_MEMORY, "shmem_collect: no memory for the lengths of %u blocks", n);
    }
    gas_team_gather(members, GAS_EVERYBODY, all, &own, sizeof own);
    for (unsigned i = 0; i < me; i++) {
        before += all[i];
    }
    free(all);
    for (unsigned i = 0; i < n; i++) {
        unsigned to = (me + i) % n;
        shmem_putmem((char *)dest + before, source, bytes, shmem_job_pe(team, (int)to));
    }
    shmem_quiet();
    gas_team_barrier(members);
    return 0;
}

int shmem_alltoallmem(shmem_team_t team, void *dest, const void *source, size_t bytes) {
    gas_team_exchange(members_of(team, "shmem_alltoall"), dest, source, bytes);
    return 0;
}

int furlong_shmem_alltoalls(shmem_team_t team, void *dest, const void *source,
                            ptrdiff_t to_stride, ptrdiff_t from_stride, size_t each,
                            size_t count) {
    gas_team_t members = members_of(team, "shmem_alltoalls");
    unsigned n = gas_team_size(members), me = gas_team_rank(members);
    ptrdiff_t to_block = to_stride * (ptrdiff_t)(count * each);
    ptrdiff_t from_block = from_stride * (ptrdiff_t)(count * each);
    for (unsigned i = 0; i < n; i++) {
        unsigned to = (me + i) % n;
        furlong_shmem_strided_put((char *)dest + (ptrdiff_t)me * to_block,
                                  (const char *)source + (ptrdiff_t)to * from_block, to_stride,
                                  from_stride, each, count, shmem_job_pe(team, (int)to));
    }
    shmem_quiet();
    gas_team_barrier(members);
    return 0;
}

int shmem_alltoallsmem(shmem_team_t team, void *dest, const void *source, ptrdiff_t to_stride,
                       ptrdiff_t from_stride, size_t count) {
    return furlong_shmem_alltoalls(team, dest, source, to_stride, from_stride, 1, count);
}

int furlong_shmem_reduce(shmem_team_t team, void *dest, const void *source, size_t each,
                         size_t count, furlong_shmem_combiner *combine) {
    gas_team_reduce(members_of(team, "a reduction"), GAS_EVERYBODY, dest, source, each, count,
                    combine, NULL);
    return 0;
}
