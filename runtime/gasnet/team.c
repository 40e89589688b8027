/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Endpoints, teams and their collective operations, on the teams of gas.h. These need no memory of
 * the client, so its scratch segments are returned untouched.
 */
#include "gasnet/inside.h"
#include "gasnet/include/gasnet_coll.h"

#include <stdlib.h>

enum { SCRATCH_BYTES = GASNET_PAGESIZE }; /* recommended size: clients expect a nonzero one */

/* ---- the endpoint ---- */

gex_Client_t gex_EP_QueryClient(gex_EP_t ep) {
    (void)ep;
    return &fl_gasnet.client;
}

gex_Segment_t gex_EP_QuerySegment(gex_EP_t ep) {
    return ep->segment;
}

gex_EP_Index_t gex_EP_QueryIndex(gex_EP_t ep) {
    (void)ep;
    return 0;
}

int gex_EP_Create(gex_EP_t *ep_p, gex_Client_t client, gex_EP_Capabilities_t capabilities,
                  gex_Flags_t flags) {
    (void)ep_p, (void)client, (void)flags;
    if (!capabilities || (capabilities & ~GEX_EP_CAPABILITY_ALL)) {
        return fl_gasnet_refuse(GASNET_ERR_BAD_ARG, "gex_EP_Create",
                                "the capabilities are 0x%x", capabilities);
    }
    return fl_gasnet_refuse(GASNET_ERR_RESOURCE, "gex_EP_Create",
                            "each process has one endpoint (GASNET_MAXEPS is 1)");
}

gex_TM_t fl_gasnet_pair(gex_EP_t ep, gex_EP_Index_t remote) {
    (void)ep;
    fl_gasnet_misuse("gex_TM_Pair", "the remote endpoint is %u, and each process has only number 0",
                     remote);
}

/* ---- teams ---- */

gas_team_t fl_gasnet_team(gex_TM_t tm, const char *function) {
    if (FL_UNLIKELY(!tm || tm == FL_GASNET_PAIR || !tm->team)) {
        fl_gasnet_misuse(function, !tm                    ? "the team is GEX_TM_INVALID"
                                   : tm == FL_GASNET_PAIR ? "a pair is no team"
                                                          : "the team has been destroyed");
    }
    return tm->team;
}

gex_Rank_t fl_gasnet_size(gex_TM_t tm, const char *function) {
    return tm == FL_GASNET_PAIR ? gas_size() : gas_team_size(fl_gasnet_team(tm, function));
}

gex_Client_t gex_TM_QueryClient(gex_TM_t tm) {
    (void)tm;
    return &fl_gasnet.client;
}

gex_EP_t gex_TM_QueryEP(gex_TM_t tm) {
    (void)tm;
    return &fl_gasnet.ep;
}

gex_Rank_t gex_TM_QueryRank(gex_TM_t tm) {
    return gas_team_rank(fl_gasnet_team(tm, "gex_TM_QueryRank"));
}

gex_Rank_t gex_TM_QuerySize(gex_TM_t tm) {
    return gas_team_size(fl_gasnet_team(tm, "gex_TM_QuerySize"));
}

gex_Rank_t fl_gasnet_translate(gex_TM_t tm, gex_Rank_t rank) {
    return gas_team_to_job(fl_gasnet_team(tm, "a rank of a team"), rank);
}

/* For the client: only the debug build checks the ranks of messages and transfers. */
static gex_Rank_t translate(gex_TM_t tm, gex_Rank_t rank, const char *function) {
    if (FL_UNLIKELY(rank >= fl_gasnet_size(tm, function))) {
        fl_gasnet_misuse(function, "rank %u of a team of %u", rank, fl_gasnet_size(tm, function));
    }
    return fl_gasnet_jobrank(tm, rank);
}

gex_Rank_t gex_TM_TranslateRankToJobrank(gex_TM_t tm, gex_Rank_t rank) {
    return translate(tm, rank, "gex_TM_TranslateRankToJobrank");
}

gex_Rank_t gex_TM_TranslateJobrankToRank(gex_TM_t tm, gex_Rank_t jobrank) {
    return gas_team_from_job(fl_gasnet_team(tm, "gex_TM_TranslateJobrankToRank"), jobrank);
}
_Static_assert(GEX_RANK_INVALID == GAS_RANK_NONE, "no rank");

gex_EP_Location_t gex_TM_TranslateRankToEP(gex_TM_t tm, gex_Rank_t rank, gex_Flags_t flags) {
    (void)flags;
    return (gex_EP_Location_t){translate(tm, rank, "gex_TM_TranslateRankToEP"), 0};
}

static bool asks_for_size(gex_Flags_t flags) {
    return flags & (GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED | GEX_FLAG_TM_SCRATCH_SIZE_MIN);
}

/* Of the debug build: the scratch is unused here, but other libraries need it. */
static void check_scratch(const char *function, gex_Flags_t flags, bool joins_none) {
    gex_Flags_t kinds = flags & (GEX_FLAG_TM_GLOBAL_SCRATCH | GEX_FLAG_TM_LOCAL_SCRATCH |
                                 GEX_FLAG_TM_SYMMETRIC_SCRATCH | GEX_FLAG_TM_NO_SCRATCH);
    if (fl_gasnet_notes_calls() && !joins_none && (kinds == 0 || (kinds & (kinds - 1)))) {
        fl_gasnet_misuse(function, "the flags 0x%x name not one of GEX_FLAG_TM_GLOBAL_SCRATCH, "
                                   "LOCAL, SYMMETRIC and NO_SCRATCH", flags);
    }
}

/* Makes the object for gas.h's team; leaves *new_p alone if the caller is in none. */
static void make(gex_TM_t *new_p, gas_team_t team, void *scratch, size_t bytes,
                 gex_Flags_t flags) {
    if (!team) {
        return;
    }
    struct fl_gasnet_tm *tm = FL_ALLOCATED(calloc(1, sizeof *tm), "a team");
    tm->team = team;
    tm->flags = flags;
    tm->scratch = (gex_Memvec_t){scratch, scratch ? bytes : 0};
    *new_p = tm;
}

size_t gex_TM_Split(gex_TM_t *new_p, gex_TM_t parent, int color, int key, void *scratch,
                    size_t scratch_bytes, gex_Flags_t flags) {
    if (asks_for_size(flags)) {
        return new_p ? SCRATCH_BYTES : 0;
    }
    if (new_p && color < 0) {
        fl_gasnet_misuse("gex_TM_Split", "the color is %d, and colors are not negative", color);
    }
    bool has_scratch = scratch_bytes > 0 || flags & GEX_FLAG_TM_NO_SCRATCH;
    if (fl_gasnet_notes_calls() && new_p && !has_scratch) {
        fl_gasnet_misuse("gex_TM_Split", "the scratch has 0 bytes, and GEX_FLAG_TM_NO_SCRATCH is "
                                         "not among the flags");
    }
    gas_team_t team = gas_team_split(fl_gasnet_team(parent, "gex_TM_Split"), new_p ? color : -1, key);
    make(new_p, team, scratch, scratch_bytes, flags);
    return 0;
}

/* The members' ranks in the parent. */
static gas_rank_t *list_members(gas_team_t parent, const gex_EP_Location_t *members, size_t n,
                                gex_Flags_t flags) {
    gas_rank_t *ranks = FL_ALLOCATED(calloc(n + 1, sizeof *ranks), "a team of %zu members", n);
    bool *is_in = FL_ALLOCATED(calloc(gas_team_size(parent), 1), "a team of %zu members", n);
    for (size_t i = 0; i < n; i++) {
        gas_rank_t rank = members[i].gex_rank;
        ranks[i] = flags & GEX_FLAG_RANK_IS_JOBRANK ? gas_team_from_job(parent, rank) : rank;
        if (ranks[i] >= gas_team_size(parent) || members[i].gex_ep_index != 0 || is_in[ranks[i]]) {
            fl_gasnet_misuse("gex_TM_Create",
                             "member %zu, rank %u, endpoint %u, is not in the parent, or is named "
                             "twice", i, rank, members[i].gex_ep_index);
        }
        is_in[ranks[i]] = true;
    }
    free(is_in);
    return ranks;
}

size_t gex_TM_Create(gex_TM_t *new_p, size_t n_new, gex_TM_t parent, gex_EP_Location_t *members,
                     size_t n, gex_Addr_t *scratch, size_t scratch_bytes, gex_Flags_t flags) {
    if (asks_for_size(flags)) {
        return n > 0 ? SCRATCH_BYTES : 0;
    }
    if (n_new > 1) {
        fl_gasnet_misuse("gex_TM_Create", "%zu teams at once for the one endpoint of a process",
                         n_new);
    }
    gas_team_t from = fl_gasnet_team(parent, "gex_TM_Create");
    check_scratch("gex_TM_Create", flags, n == 0);
    gas_rank_t *ranks = list_members(from, members, n, flags);
    gas_team_t team = gas_team_create(from, ranks, n);
    free(ranks);
    gex_Addr_t mine = NULL;
    if (team && scratch && !(flags & GEX_FLAG_TM_NO_SCRATCH)) {
        mine = scratch[flags & GEX_FLAG_TM_GLOBAL_SCRATCH ? gas_team_rank(team) : 0];
    }
    make(new_p, team, mine, scratch_bytes, flags);
    return 0;
}

int gex_TM_Destroy(gex_TM_t tm, gex_Memvec_t *scratch_p, gex_Flags_t flags) {
    (void)flags;
    if (tm == &fl_gasnet_all) {
        fl_gasnet_misuse("gex_TM_Destroy", "the team of all ranks stays until the end");
    }
    gas_team_free(fl_gasnet_team(tm, "gex_TM_Destroy"));
    gex_Memvec_t scratch = tm->scratch;
    tm->team = GAS_TEAM_NONE;
    gas_discard(tm);
    if (scratch.gex_addr && scratch_p) {
        *scratch_p = scratch;
        return 1;
    }
    return 0;
}

/* ---- collective operations ---- */

gex_Event_t gex_Coll_BarrierNB(gex_TM_t tm, gex_Flags_t flags) {
    (void)flags;
    return gas_team_barrier_nb(fl_gasnet_team(tm, "gex_Coll_BarrierNB"));
}

gex_Event_t gex_Coll_BroadcastNB(gex_TM_t tm, gex_Rank_t root, void *dst, const void *src,
                                 size_t bytes, gex_Flags_t flags) {
    (void)flags;
    return gas_team_broadcast_nb(fl_gasnet_team(tm, "gex_Coll_BroadcastNB"), root, dst, src, bytes);
}

static const struct {
    gex_DT_t type;
    gas_type_t gas;
    size_t bytes;
} types[] = {
    {GEX_DT_I32, GAS_I32, 4}, {GEX_DT_U32, GAS_U32, 4}, {GEX_DT_I64, GAS_I64, 8},
    {GEX_DT_U64, GAS_U64, 8}, {GEX_DT_FLT, GAS_FLT, 4}, {GEX_DT_DBL, GAS_DBL, 8},
};
static const struct {
    gex_OP_t op;
    gas_op_t gas;
} reductions[] = {
    {GEX_OP_ADD, GAS_OP_ADD}, {GEX_OP_MULT, GAS_OP_MULT}, {GEX_OP_MIN, GAS_OP_MIN},
    {GEX_OP_MAX, GAS_OP_MAX}, {GEX_OP_AND, GAS_OP_AND},   {GEX_OP_OR, GAS_OP_OR},
    {GEX_OP_XOR, GAS_OP_XOR},
};

static gas_reduce_function *find_reduction(gex_DT_t type, size_t bytes, gex_OP_t op) {
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        for (size_t o = 0; o < sizeof reductions / sizeof *reductions; o++) {
            if (types[t].type == type && types[t].bytes == bytes && reductions[o].op == op) {
                return gas_reduction(types[t].gas, reductions[o].gas);
            }
        }
    }
    return NULL;
}

static gex_Event_t reduce(const char *name, gex_TM_t tm, gas_rank_t root, void *dst,
                          const void *src, gex_DT_t type, size_t bytes, size_t count, gex_OP_t op,
                          gex_Coll_ReduceFn_t function, void *context) {
    bool is_users = op == GEX_OP_USER;
    gas_reduce_function *combine = is_users ? function : find_reduction(type, bytes, op);
    if (!combine) {
        fl_gasnet_misuse(name, "no function, or an operation 0x%x that the type 0x%x of %zu bytes "
                               "does not have", op, type, bytes);
    }
    return gas_team_reduce_nb(fl_gasnet_team(tm, name), root, dst, src, bytes, count, combine,
                              context);
}

gex_Event_t gex_Coll_ReduceToOneNB(gex_TM_t tm, gex_Rank_t root, void *dst, const void *src,
                                   gex_DT_t type, size_t bytes, size_t count, gex_OP_t op,
                                   gex_Coll_ReduceFn_t function, void *context,
                                   gex_Flags_t flags) {
    (void)flags;
    return reduce("gex_Coll_ReduceToOneNB", tm, root, dst, src, type, bytes, count, op, function,
                  context);
}

gex_Event_t gex_Coll_ReduceToAllNB(gex_TM_t tm, void *dst, const void *src, gex_DT_t type,
                                   size_t bytes, size_t count, gex_OP_t op,
                                   gex_Coll_ReduceFn_t function, void *context,
                                   gex_Flags_t flags) {
    (void)flags;
    return reduce("gex_Coll_ReduceToAllNB", tm, GAS_EVERYBODY, dst, src, type, bytes, count, op,
                  function, context);
}
