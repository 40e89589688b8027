/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams and contexts: OpenSHMEM 1.5, 9.4 and 9.5. A context only translates its team's PE numbers;
 * a quiet waits for the operations of all contexts, which is more than the standard requires. */
#include "shmem/inside.h"

#include <stdlib.h>

struct furlong_shmem_team furlong_shmem_world = {GAS_TEAM_ALL, {0}};
struct furlong_shmem_team furlong_shmem_shared = {GAS_TEAM_ALL, {0}};
struct furlong_shmem_ctx furlong_shmem_default = {SHMEM_TEAM_WORLD};

void furlong_shmem_teams_start(void) {
    if (gas_hosts() > 1) {
        furlong_shmem_shared.members =
            gas_team_split(GAS_TEAM_ALL, (int)gas_host_of(gas_rank()), 0);
    }
}

static shmem_team_t new_team(gas_team_t members, const shmem_team_config_t *config, long mask) {
    if (members == GAS_TEAM_NONE) {
        return SHMEM_TEAM_INVALID;
    }
    shmem_team_t team = FL_ALLOCATED(calloc(1, sizeof *team), "a team");
    team->members = members;
    if (config && (mask & SHMEM_TEAM_NUM_CONTEXTS)) {
        team->config = *config;
    }
    return team;
}

int shmem_team_my_pe(shmem_team_t team) {
    return team ? (int)gas_team_rank(team->members) : -1;
}

int shmem_team_n_pes(shmem_team_t team) {
    return team ? (int)gas_team_size(team->members) : -1;
}

int shmem_team_get_config(shmem_team_t team, long mask, shmem_team_config_t *config) {
    if (!team) {
        return -1;
    }
    if (mask & SHMEM_TEAM_NUM_CONTEXTS) {
        config->num_contexts = team->config.num_contexts;
    }
    return 0;
}

int shmem_team_translate_pe(shmem_team_t from, int pe, shmem_team_t to) {
    if (!from || !to || pe < 0 || pe >= shmem_team_n_pes(from)) {
        return -1;
    }
    gas_rank_t rank = gas_team_from_job(to->members, gas_team_to_job(from->members, (gas_rank_t)pe));
    return rank == GAS_RANK_NONE ? -1 : (int)rank;
}

int shmem_team_split_strided(shmem_team_t parent, int start, int stride, int size,
                             const shmem_team_config_t *config, long mask, shmem_team_t *team) {
    *team = SHMEM_TEAM_INVALID;
    if (!parent) {
        return -1;
    }
    int n = shmem_team_n_pes(parent), me = shmem_team_my_pe(parent);
    int64_t last = start + (int64_t)(size - 1) * stride;
    if (size < 1 || start < 0 || start >= n || last < 0 || last >= n || (stride == 0 && size > 1)) {
        return -1; /* at every member alike, so none waits for a split */
    }
    int place = -1;
    for (int i = 0; i < size; i++) {
        place = start + i * stride == me ? i : place;
    }
    *team = new_team(gas_team_split(parent->members, place >= 0 ? 0 : -1, place), config, mask);
    return 0;
}

int shmem_team_split_2d(shmem_team_t parent, int x_range, const shmem_team_config_t *x_config,
                        long x_mask, shmem_team_t *x_team, const shmem_team_config_t *y_config,
                        long y_mask, shmem_team_t *y_team) {
    *x_team = *y_team = SHMEM_TEAM_INVALID;
    if (!parent || x_range < 1) {
        return -1;
    }
    int me = shmem_team_my_pe(parent), x = me % x_range, y = me / x_range;
    *x_team = new_team(gas_team_split(parent->members, y, x), x_config, x_mask);
    *y_team = new_team(gas_team_split(parent->members, x, y), y_config, y_mask);
    return 0;
}

void shmem_team_destroy(shmem_team_t team) {
    if (team && team != SHMEM_TEAM_WORLD && team != SHMEM_TEAM_SHARED) {
        gas_team_free(team->members);
        free(team);
    }
}

int shmem_team_create_ctx(shmem_team_t team, long options, shmem_ctx_t *ctx) {
    (void)options;
    *ctx = SHMEM_CTX_INVALID;
    if (!team) {
        return -1;
    }
    *ctx = malloc(sizeof **ctx);
    if (!*ctx) {
        return -1;
    }
    (*ctx)->team = team;
    return 0;
}

int shmem_ctx_create(long options, shmem_ctx_t *ctx) {
    return shmem_team_create_ctx(SHMEM_TEAM_WORLD, options, ctx);
}

void shmem_ctx_destroy(shmem_ctx_t ctx) {
    if (ctx && ctx != SHMEM_CTX_DEFAULT) {
        shmem_quiet();
        free(ctx);
    }
}

int shmem_ctx_get_team(shmem_ctx_t ctx, shmem_team_t *team) {
    *team = ctx ? ctx->team : SHMEM_TEAM_INVALID;
    return ctx ? 0 : -1;
}

int furlong_shmem_ctx_pe(shmem_ctx_t ctx, int pe) {
    if (!ctx) {
        gas_misuse("the context is SHMEM_CTX_INVALID");
    }
    if (pe < 0 || pe >= shmem_team_n_pes(ctx->team)) {
        gas_misuse("PE %d in a context of %d PEs", pe, shmem_team_n_pes(ctx->team));
    }
    return shmem_job_pe(ctx->team, pe);
}
