/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments. Every rank keeps a table of all sizes, so no query needs a message. */
#include "gasnet/inside.h"

#include <stdlib.h>

void (*gasnet_client_attach_hook)(void *address, uintptr_t bytes);

uintptr_t gasnet_getMaxLocalSegmentSize(void) {
    return fl_gasnet.most;
}

uintptr_t gasnet_getMaxGlobalSegmentSize(void) {
    return fl_gasnet.most_of_all;
}

static void attach(uintptr_t bytes) {
    void *address;
    (void)gas_segment_attach(&address, bytes);
    fl_gasnet.segment = (struct fl_gasnet_segment){.address = address, .bytes = bytes};
    fl_gasnet.ep.segment = &fl_gasnet.segment;
    if (gasnet_client_attach_hook) {
        gasnet_client_attach_hook(address, bytes);
    }
    fl_gasnet.segments = FL_ALLOCATED(calloc(gas_size(), sizeof *fl_gasnet.segments),
                                      "the segments of %u ranks", gas_size());
    gas_team_gather(GAS_TEAM_ALL, GAS_EVERYBODY, fl_gasnet.segments, &bytes, sizeof bytes);
    gas_barrier();
}

int gex_Segment_Attach(gex_Segment_t *segment_p, gex_TM_t tm, uintptr_t bytes) {
    if (fl_gasnet.ep.segment || tm != &fl_gasnet_all) {
        return fl_gasnet_refuse(GASNET_ERR_BAD_ARG, "gex_Segment_Attach",
                                "it is called once, for the team of all ranks");
    }
    if (bytes == 0 || bytes % GASNET_PAGESIZE != 0 || bytes > fl_gasnet.most) {
        return fl_gasnet_refuse(GASNET_ERR_BAD_ARG, "gex_Segment_Attach",
                                "%zu bytes; a segment is some pages of %d bytes, at most %zu bytes",
                                (size_t)bytes, GASNET_PAGESIZE, (size_t)fl_gasnet.most);
    }
    attach(bytes);
    *segment_p = &fl_gasnet.segment;
    return GASNET_OK;
}

gex_Client_t gex_Segment_QueryClient(gex_Segment_t segment) {
    (void)segment;
    return &fl_gasnet.client;
}

void *gex_Segment_QueryAddr(gex_Segment_t segment) {
    return segment->address;
}

uintptr_t gex_Segment_QuerySize(gex_Segment_t segment) {
    return segment->bytes;
}

int gex_Segment_QueryBound(gex_TM_t tm, gex_Rank_t rank, void **owner_p, void **local_p,
                           uintptr_t *bytes_p) {
    gas_rank_t jobrank = fl_gasnet_jobrank(tm, rank);
    if (!fl_gasnet.segments) {
        return 1;
    }
    void *address = gas_segment_of(jobrank, NULL);
    if (owner_p) {
        *owner_p = address;
    }
    if (local_p) {
        *local_p = gas_is_here(address) ? address : NULL;
    }
    if (bytes_p) {
        *bytes_p = fl_gasnet.segments[jobrank];
    }
    return 0;
}

gex_Event_t gex_EP_QueryBoundSegmentNB(gex_TM_t tm, gex_Rank_t rank, void **owner_p,
                                       void **local_p, uintptr_t *bytes_p, gex_Flags_t flags) {
    (void)flags;
    if (gex_Segment_QueryBound(tm, rank, owner_p, local_p, bytes_p) != 0) {
        if (owner_p) {
            *owner_p = NULL;
        }
        if (local_p) {
            *local_p = NULL;
        }
        if (bytes_p) {
            *bytes_p = 0;
        }
    }
    return GEX_EVENT_INVALID;
}

/* The memory is the client's or malloc's. The one endpoint has its segment already, so no endpoint
 * can be bound to this one. */
int gex_Segment_Create(gex_Segment_t *segment_p, gex_Client_t client, gex_Addr_t address,
                       uintptr_t bytes, gex_MK_t kind, gex_Flags_t flags) {
    if (!client || bytes == 0 || kind != GEX_MK_HOST || flags != 0) {
        return fl_gasnet_refuse(GASNET_ERR_BAD_ARG, "gex_Segment_Create",
                                "no client, no bytes, flags, or memory that is not the host's");
    }
    struct fl_gasnet_segment *segment = calloc(1, sizeof *segment);
    void *memory = address ? address : calloc(1, bytes);
    if (!segment || !memory) {
        free(segment);
        return fl_gasnet_refuse(GASNET_ERR_RESOURCE, "gex_Segment_Create",
                                "no memory for a segment of %zu bytes", (size_t)bytes);
    }
    *segment = (struct fl_gasnet_segment){.address = memory, .bytes = bytes, .is_owned = !address};
    *segment_p = segment;
    return GASNET_OK;
}

void gex_Segment_Destroy(gex_Segment_t segment, gex_Flags_t flags) {
    (void)flags;
    if (segment == &fl_gasnet.segment) {
        fl_gasnet_misuse("gex_Segment_Destroy", "the attached segment stays until the end");
    }
    if (!segment || !segment->address) {
        fl_gasnet_misuse("gex_Segment_Destroy", "the segment %s",
                         segment ? "has been destroyed" : "is GEX_SEGMENT_INVALID");
    }
    if (segment->is_owned) {
        free(segment->address);
    }
    segment->address = NULL;
    gas_discard(segment);
}

int gex_EP_BindSegment(gex_EP_t ep, gex_Segment_t segment, gex_Flags_t flags) {
    (void)ep, (void)segment, (void)flags;
    return fl_gasnet_refuse(GASNET_ERR_BAD_ARG, "gex_EP_BindSegment",
                            "the primordial endpoint, the only one, gets its segment by "
                            "gex_Segment_Attach");
}

/* The attached segment is known to all already. */
int gex_EP_PublishBoundSegment(gex_TM_t tm, gex_EP_t *eps, size_t n, gex_Flags_t flags) {
    (void)tm, (void)flags;
    for (size_t i = 0; i < n; i++) {
        if (eps[i] != &fl_gasnet.ep || !fl_gasnet.ep.segment) {
            return fl_gasnet_refuse(GASNET_ERR_BAD_ARG, "gex_EP_PublishBoundSegment",
                                    "endpoint %zu of %zu has no segment", i, n);
        }
    }
    return GASNET_OK;
}

void fl_gasnet_check_range(gex_TM_t tm, gex_Rank_t rank, const void *address, size_t bytes) {
    const char *what = fl_gasnet_noted_function();
    if (rank >= fl_gasnet_size(tm, what)) {
        fl_gasnet_misuse(what, "rank %u of a team of %u", rank, fl_gasnet_size(tm, what));
    }
    if (bytes == 0) {
        return;
    }
    if (!fl_gasnet.segments) {
        fl_gasnet_misuse(what, "before gex_Segment_Attach no rank has a segment");
    }
    gas_rank_t jobrank = fl_gasnet_jobrank(tm, rank);
    const char *begin = gas_segment_of(jobrank, NULL);
    uint64_t offset = (uint64_t)((const char *)address - begin);
    if (offset > fl_gasnet.segments[jobrank] || bytes > fl_gasnet.segments[jobrank] - offset) {
        fl_gasnet_misuse(what,
                         "%zu bytes at %p are not in the segment of rank %u of the team (rank %u of "
                         "the job), which has %zu bytes at %p",
                         bytes, address, rank, jobrank, (size_t)fl_gasnet.segments[jobrank],
                         (const void *)begin);
    }
}

void fl_gasnet_check_peer(gex_TM_t tm, gex_Rank_t rank, gex_Flags_t flags) {
    gas_rank_t jobrank = fl_gasnet_jobrank(tm, rank);
    if (flags & GEX_FLAG_PEER_NEVER_SELF && jobrank == gas_rank()) {
        fl_gasnet_misuse(fl_gasnet_noted_function(),
                         "with GEX_FLAG_PEER_NEVER_SELF the rank is not the caller's");
    }
    if (flags & GEX_FLAG_PEER_NEVER_NBRHD && gas_host_of(jobrank) == gas_host_of(gas_rank())) {
        fl_gasnet_misuse(fl_gasnet_noted_function(),
                         "with GEX_FLAG_PEER_NEVER_NBRHD the rank is on another host, and rank %u "
                         "of the job is on the caller's", jobrank);
    }
}

void fl_gasnet_check_overlap(const void *to, const void *from, size_t bytes) {
    uintptr_t distance = to < from ? (uintptr_t)from - (uintptr_t)to
                                   : (uintptr_t)to - (uintptr_t)from;
    if (distance < bytes) {
        fl_gasnet_misuse(fl_gasnet_noted_function(),
                         "%zu bytes at %p go to %p: the source and the destination overlap", bytes,
                         from, to);
    }
}

void fl_gasnet_check_value(size_t bytes) {
    if (bytes < 1 || bytes > sizeof(gex_RMA_Value_t)) {
        fl_gasnet_misuse(fl_gasnet_noted_function(), "a value of %zu bytes; values have 1 to %zu",
                         bytes, sizeof(gex_RMA_Value_t));
    }
}

/* ---- GASNet-1 ---- */

int fl_gasnet_attach_legacy(uintptr_t bytes) {
    uintptr_t pages = (bytes + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE;
    bytes = (pages ? pages : 1) * GASNET_PAGESIZE;
    if (fl_gasnet.ep.segment || bytes > fl_gasnet.most) {
        return fl_gasnet_refuse(GASNET_ERR_BAD_ARG, "gasnet_attach",
                                "it is called once, with at most %zu bytes",
                                (size_t)fl_gasnet.most);
    }
    attach(bytes);
    return GASNET_OK;
}
