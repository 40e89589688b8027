/* SPDX-License-Identifier: BSD-3-Clause */
/* Vector, indexed and strided transfers, on those of gas.h. The size of a strided transfer's
 * contiguous pieces is a parameter here, and count[0] in gas.h. */
#include "gasnet/inside.h"
#include "gasnet/include/gasnet_vis.h"

#include <stdlib.h>
#include <string.h>

/* The peer completion handler for the calling thread's next put. */
static _Thread_local struct {
    gex_AM_Index_t index; /* 0: none */
    size_t bytes;
    unsigned char payload[GEX_VIS_MAX_PEERCOMPLETION];
} peer;

void gex_VIS_SetPeerCompletionHandler(gex_AM_Index_t index, const void *src, size_t bytes,
                                      gex_Flags_t flags) {
    (void)flags;
    if (bytes > sizeof peer.payload) {
        fl_gasnet_misuse("gex_VIS_SetPeerCompletionHandler", "%zu bytes; most are %zu", bytes,
                         sizeof peer.payload);
    }
    peer.index = index;
    peer.bytes = bytes;
    if (index && bytes) {
        memcpy(peer.payload, src, bytes);
    }
}

/* Requests the peer completion handler. Called when the put has ended: it sees the data. */
static void tell_peer(const struct fl_gasnet_vis *how) {
    const uint32_t index = peer.index;
    peer.index = 0;
    (void)gas_request_medium(fl_gasnet_jobrank(how->tm, how->rank), FL_GASNET_PEER_HANDLER,
                             peer.payload, peer.bytes, 0, &index, 1);
}

static gex_Event_t finish(const struct fl_gasnet_vis *how, gas_event_t event) {
    if (how->is_put && peer.index) {
        gas_event_wait(event);
        event = GAS_EVENT_DONE;
        tell_peer(how);
    }
    switch (how->form) {
    case FL_GASNET_NB: return event;
    case FL_GASNET_NBI: gas_nbi_add_to(how->is_put ? GAS_NBI_PUT : GAS_NBI_GET, event); break;
    case FL_GASNET_BLOCKING: gas_event_wait(event);
    }
    return GEX_EVENT_INVALID;
}

_Static_assert(sizeof(gex_Memvec_t) == sizeof(struct gas_piece) &&
                   offsetof(gex_Memvec_t, gex_len) == offsetof(struct gas_piece, bytes),
               "a piece is a piece");

gex_Event_t fl_gasnet_vector(struct fl_gasnet_vis how, size_t n_to, const gex_Memvec_t *to,
                             size_t n_from, const gex_Memvec_t *from) {
    const gex_Memvec_t *remote = how.is_put ? to : from;
    for (size_t i = 0; how.is_checked && i < (how.is_put ? n_to : n_from); i++) {
        fl_gasnet_check_range(how.tm, how.rank, remote[i].gex_addr, remote[i].gex_len);
    }
    const struct gas_piece *gas_to = (const void *)to, *gas_from = (const void *)from;
    return finish(&how, (how.is_put ? gas_put_vector_nb : gas_get_vector_nb)(gas_to, n_to, gas_from,
                                                                             n_from));
}

gex_Event_t fl_gasnet_indexed(struct fl_gasnet_vis how, size_t n_to, void *const *to,
                              size_t to_bytes, size_t n_from, void *const *from,
                              size_t from_bytes) {
    const void *const *gas_from = (const void *const *)from;
    for (size_t i = 0; how.is_checked && i < (how.is_put ? n_to : n_from); i++) {
        fl_gasnet_check_range(how.tm, how.rank, how.is_put ? to[i] : from[i],
                              how.is_put ? to_bytes : from_bytes);
    }
    return finish(&how, (how.is_put ? gas_put_indexed_nb : gas_get_indexed_nb)(
                            to, n_to, to_bytes, gas_from, n_from, from_bytes));
}

enum { LEVELS_ON_STACK = 15 };

/* From the lowest byte to the highest: strides may be negative. */
static void check_box(const struct fl_gasnet_vis *how, const char *at, const ptrdiff_t *strides,
                      size_t bytes, const size_t *count, size_t levels) {
    const char *end = at + bytes;
    for (size_t i = 0; i < levels; i++) {
        ptrdiff_t extent = strides[i] * (ptrdiff_t)(count[i] - 1);
        *(extent < 0 ? &at : &end) += extent;
    }
    fl_gasnet_check_range(how->tm, how->rank, at, (size_t)(end - at));
}

gex_Event_t fl_gasnet_strided(struct fl_gasnet_vis how, void *to, const ptrdiff_t *to_strides,
                              void *from, const ptrdiff_t *from_strides, size_t bytes,
                              const size_t *count, size_t levels) {
    size_t few[LEVELS_ON_STACK + 1];
    size_t *counts =
        FL_ALLOCATED(levels <= LEVELS_ON_STACK ? few : calloc(levels + 1, sizeof *counts),
                     "a transfer of %zu levels", levels);
    bool is_empty = bytes == 0;
    counts[0] = bytes;
    for (size_t i = 0; i < levels; i++) {
        counts[i + 1] = count[i];
        is_empty = is_empty || count[i] == 0;
    }
    gas_event_t event = GAS_EVENT_DONE;
    if (!is_empty && how.is_checked) {
        check_box(&how, how.is_put ? to : from, how.is_put ? to_strides : from_strides, bytes,
                  count, levels);
    }
    if (!is_empty) {
        event = (how.is_put ? gas_put_strided_nb : gas_get_strided_nb)(
            to, to_strides, from, from_strides, counts, (unsigned)levels);
    }
    if (counts != few) {
        free(counts);
    }
    return finish(&how, event);
}
