/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of GASNet-1 that GASNet-EX replaced: start, tables of nodes, collective operations. */
#include "gasnet/inside.h"
#include "gasnet/include/gasnet_coll.h"

#include "gasnet/include/gasnet.h"

#include <stdlib.h>

int fl_gasnet_attach_legacy(uintptr_t bytes);

int fl_gasnet_init(const struct fl_gasnet_build *build, const char *header, int *argc,
                   char ***argv) {
    gex_Client_t client;
    gex_EP_t ep;
    gex_TM_t tm;
    return fl_gasnet_client_init(build, header, &client, &ep, &tm, "LEGACY", argc, argv,
                                 GEX_FLAG_USES_GASNET1);
}

/* Handlers of GASNet-1 accept any message. Writes chosen numbers back to the table. */
static int register_all(gasnet_handlerentry_t *table, int n) {
    gex_AM_Entry_t *entries = calloc((size_t)n + 1, sizeof *entries);
    if (!entries) {
        return GASNET_ERR_RESOURCE;
    }
    for (int i = 0; i < n; i++) {
        entries[i].gex_index = table[i].index;
        entries[i].gex_fnptr = table[i].fnptr;
        entries[i].gex_flags = GEX_FLAG_AM_SHORT | GEX_FLAG_AM_MEDLONG | GEX_FLAG_AM_REQREP;
        entries[i].gex_nargs = FL_GASNET_ANY_ARGS;
    }
    int result = fl_gasnet_register(entries, (size_t)n, FL_GASNET_ANY_ARGS);
    for (int i = 0; i < n; i++) {
        table[i].index = entries[i].gex_index;
    }
    free(entries);
    return result;
}

int gasnet_attach(gasnet_handlerentry_t *table, int n, uintptr_t bytes,
                  uintptr_t min_heap_offset) {
    (void)min_heap_offset;
    if (!fl_gasnet.started) {
        return GASNET_ERR_NOT_INIT;
    }
    int result = register_all(table, n);
    return result == GASNET_OK ? fl_gasnet_attach_legacy(bytes) : result;
}

void gasnet_QueryGexObjects(gex_Client_t *client_p, gex_EP_t *ep_p, gex_TM_t *tm_p,
                            gex_Segment_t *segment_p) {
    if (client_p) {
        *client_p = &fl_gasnet.client;
    }
    if (ep_p) {
        *ep_p = &fl_gasnet.ep;
    }
    if (tm_p) {
        *tm_p = &fl_gasnet_all;
    }
    if (segment_p) {
        *segment_p = fl_gasnet.ep.segment;
    }
}

int gasnet_getSegmentInfo(gasnet_seginfo_t *info, int n) {
    if (!fl_gasnet.segments) {
        return GASNET_ERR_NOT_READY;
    }
    for (gas_rank_t rank = 0; rank < gas_size() && (int)rank < n; rank++) {
        info[rank].addr = gas_segment_of(rank, NULL);
        info[rank].size = fl_gasnet.segments[rank];
    }
    return GASNET_OK;
}

int gasnet_getNodeInfo(gasnet_nodeinfo_t *info, int n) {
    for (gas_rank_t rank = 0; rank < gas_size() && (int)rank < n; rank++) {
        info[rank] = (gasnet_nodeinfo_t){gas_host_of(rank), gas_host_of(rank), 0};
    }
    return GASNET_OK;
}

int gasnet_AMGetMsgSource(gasnet_token_t token, gasnet_node_t *node_p) {
    *node_p = token->source;
    return GASNET_OK;
}

gex_Event_t fl_gasnet_box(struct fl_gasnet_vis how, void *to, const size_t *to_strides, void *from,
                          const size_t *from_strides, const size_t *counts, size_t levels) {
    return fl_gasnet_strided(how, to, (const ptrdiff_t *)to_strides, from,
                             (const ptrdiff_t *)from_strides, counts[0], counts + 1, levels);
}

/* ---- old collective operations ---- */

/* Makes one event of two consecutive operations of a team, of which the second ends last. */
static gasnet_coll_handle_t chain(gasnet_coll_handle_t first, gasnet_coll_handle_t second) {
    if (!second) {
        gas_event_wait(first); /* has ended: does not block */
    } else {
        second->parts = first;
    }
    return second;
}

/* Of the debug build. */
static void check_flags(const char *function, int flags) {
    int in = flags & (GASNET_COLL_IN_NOSYNC | GASNET_COLL_IN_MYSYNC | GASNET_COLL_IN_ALLSYNC);
    int out = flags & (GASNET_COLL_OUT_NOSYNC | GASNET_COLL_OUT_MYSYNC | GASNET_COLL_OUT_ALLSYNC);
    bool is_good = in && !(in & (in - 1)) && out && !(out & (out - 1)) && flags & GASNET_COLL_LOCAL;
    if (fl_gasnet_notes_calls() && !is_good) {
        fl_gasnet_misuse(function, "the flags 0x%x are not one of GASNET_COLL_IN_, one of "
                                   "GASNET_COLL_OUT_, and GASNET_COLL_LOCAL", (unsigned)flags);
    }
}

/* The barriers for the ALLSYNC flags. */
static gasnet_coll_handle_t enter(gasnet_team_handle_t team, int flags) {
    return flags & GASNET_COLL_IN_ALLSYNC ? gas_team_barrier_nb(team) : GAS_EVENT_DONE;
}

static gasnet_coll_handle_t leave(gasnet_team_handle_t team, int flags,
                                  gasnet_coll_handle_t event) {
    return flags & GASNET_COLL_OUT_ALLSYNC ? chain(event, gas_team_barrier_nb(team)) : event;
}

#define COLLECTIVE(name, operation, parameters, arguments)                                         \
    gasnet_coll_handle_t gasnet_coll_##name##_nb parameters {                                      \
        check_flags("gasnet_coll_" #name, flags);                                                  \
        gasnet_coll_handle_t entered = enter(team, flags);                                         \
        return leave(team, flags, chain(entered, operation));                                      \
    }                                                                                              \
    void gasnet_coll_##name parameters {                                                           \
        gas_event_wait(gasnet_coll_##name##_nb arguments);                                         \
    }
COLLECTIVE(broadcast, gas_team_broadcast_nb(team, root, dst, src, bytes),
           (gasnet_team_handle_t team, void *dst, gasnet_image_t root, void *src, size_t bytes,
            int flags),
           (team, dst, root, src, bytes, flags))
COLLECTIVE(scatter, gas_team_scatter_nb(team, root, dst, src, bytes),
           (gasnet_team_handle_t team, void *dst, gasnet_image_t root, void *src, size_t bytes,
            int flags),
           (team, dst, root, src, bytes, flags))
COLLECTIVE(gather, gas_team_gather_nb(team, root, dst, src, bytes),
           (gasnet_team_handle_t team, gasnet_image_t root, void *dst, void *src, size_t bytes,
            int flags),
           (team, root, dst, src, bytes, flags))
COLLECTIVE(gather_all, gas_team_gather_nb(team, GAS_EVERYBODY, dst, src, bytes),
           (gasnet_team_handle_t team, void *dst, void *src, size_t bytes, int flags),
           (team, dst, src, bytes, flags))
COLLECTIVE(exchange, gas_team_exchange_nb(team, dst, src, bytes),
           (gasnet_team_handle_t team, void *dst, void *src, size_t bytes, int flags),
           (team, dst, src, bytes, flags))
