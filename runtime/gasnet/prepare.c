/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Negotiated-payload messages. A thread prepares one at a time, in a thread-local descriptor. A
 * payload in the client's memory needs no preparation: the commit sends it.
 */
#include "gasnet/inside.h"

struct fl_gasnet_srcdesc {
    enum fl_gasnet_way way;
    struct gas_prepared prepared;
    const void *payload; /* the client's memory; null: the library's, in `prepared` */
    size_t bytes;        /* room for the payload */
    void *to;            /* of a long message; null: the commit says it */
    unsigned n_args;
    gex_Event_t *local;
    gas_rank_t rank;   /* the receiver's */
    gas_token_t token; /* of a reply */
    bool in_use;
};
static _Thread_local struct fl_gasnet_srcdesc own;

static const char *const names[] = {"RequestMedium", "RequestLong", "ReplyMedium", "ReplyLong"};

const char *fl_gasnet_prepared(void) {
    return own.in_use ? names[own.way] : NULL;
}

/* Room for the payload, between `least` and `most` bytes. */
static size_t room_for(size_t least, size_t most, size_t limit, unsigned n_args) {
    if (own.in_use) {
        fl_gasnet_misuse("gex_AM_Prepare", "a %s that the thread has prepared is neither committed "
                                           "nor cancelled", names[own.way]);
    }
    if (least > most || least > limit) {
        fl_gasnet_misuse("gex_AM_Prepare", "between %zu and %zu bytes; most are %zu", least, most,
                         limit);
    }
    if (n_args > gex_AM_MaxArgs()) {
        fl_gasnet_misuse("gex_AM_Prepare", "%u arguments; most are %u", n_args, gex_AM_MaxArgs());
    }
    return most < limit ? most : limit;
}

/* In the debug build. */
static void check_token(gex_Token_t token) {
    if (fl_gasnet_notes_calls()) {
        fl_gasnet_check_token(token);
    }
}

/* A buffer of the library's has no local completion. */
static void check_local(const void *payload, const gex_Event_t *local, unsigned ways) {
    if (fl_gasnet_notes_calls()) {
        fl_gasnet_check_local(local, payload ? ways : FL_GASNET_LC_NONE);
    }
}

/* In the debug build. The bytes of a negotiated message may be written before its commit. */
static void check_destination(gas_rank_t rank, const void *to, size_t bytes) {
    if (fl_gasnet_notes_calls()) {
        fl_gasnet_check_range(FL_GASNET_PAIR, rank, to, bytes);
    }
}

static gex_AM_SrcDesc_t keep(const struct fl_gasnet_srcdesc *prepared) {
    own = *prepared;
    own.in_use = true;
    return &own;
}

/* Finishes a preparation in memory of the library, which may grant more than the least size. The
 * descriptor is filled only now: a wait for room runs handlers, which prepare replies in it. */
static gex_AM_SrcDesc_t keep_made(struct fl_gasnet_srcdesc *prepared, int result) {
    if (result != GAS_OK) {
        return GEX_AM_SRCDESC_NO_OP;
    }
    prepared->bytes = prepared->prepared.bytes;
    return keep(prepared);
}

gex_AM_SrcDesc_t gex_AM_PrepareRequestMedium(gex_TM_t tm, gex_Rank_t rank, const void *payload,
                                             size_t least, size_t most, gex_Event_t *local,
                                             gex_Flags_t flags, unsigned n_args) {
    check_local(payload, local, FL_GASNET_LC_REQUEST);
    struct fl_gasnet_srcdesc new = {.way = FL_GASNET_REQUEST_MEDIUM,
                                    .payload = payload,
                                    .bytes = room_for(least, most, gas_max_medium(), n_args),
                                    .n_args = n_args,
                                    .local = local,
                                    .rank = fl_gasnet_jobrank(tm, rank)};
    if (payload) {
        return keep(&new);
    }
    return keep_made(&new, (flags & GEX_FLAG_IMMEDIATE ? gas_prepare_medium_try
                                                       : gas_prepare_medium)(
                               new.rank, least, new.bytes, &new.prepared));
}

gex_AM_SrcDesc_t gex_AM_PrepareRequestLong(gex_TM_t tm, gex_Rank_t rank, const void *payload,
                                           size_t least, size_t most, void *to,
                                           gex_Event_t *local, gex_Flags_t flags,
                                           unsigned n_args) {
    (void)flags;
    check_local(payload, local, FL_GASNET_LC_REQUEST);
    struct fl_gasnet_srcdesc new = {.way = FL_GASNET_REQUEST_LONG,
                                    .payload = payload,
                                    .bytes = room_for(least, most, gas_max_long(), n_args),
                                    .to = to,
                                    .n_args = n_args,
                                    .local = local,
                                    .rank = fl_gasnet_jobrank(tm, rank)};
    check_destination(new.rank, to, to ? least : 0);
    return payload ? keep(&new)
                   : keep_made(&new, gas_prepare_long(new.rank, least, new.bytes, to,
                                                      &new.prepared));
}

gex_AM_SrcDesc_t gex_AM_PrepareReplyMedium(gex_Token_t token, const void *payload, size_t least,
                                           size_t most, gex_Event_t *local, gex_Flags_t flags,
                                           unsigned n_args) {
    (void)flags;
    check_token(token);
    check_local(payload, local, FL_GASNET_LC_REPLY);
    struct fl_gasnet_srcdesc new = {.way = FL_GASNET_REPLY_MEDIUM,
                                    .payload = payload,
                                    .bytes = room_for(least, most, gas_max_medium(), n_args),
                                    .n_args = n_args,
                                    .local = local,
                                    .rank = token->source,
                                    .token = token};
    return payload ? keep(&new)
                   : keep_made(&new, gas_prepare_reply_medium(token, least, new.bytes,
                                                              &new.prepared));
}

gex_AM_SrcDesc_t gex_AM_PrepareReplyLong(gex_Token_t token, const void *payload, size_t least,
                                         size_t most, void *to, gex_Event_t *local,
                                         gex_Flags_t flags, unsigned n_args) {
    (void)flags;
    check_token(token);
    check_local(payload, local, FL_GASNET_LC_REPLY);
    struct fl_gasnet_srcdesc new = {.way = FL_GASNET_REPLY_LONG,
                                    .payload = payload,
                                    .bytes = room_for(least, most, gas_max_long(), n_args),
                                    .to = to,
                                    .n_args = n_args,
                                    .local = local,
                                    .rank = token->source,
                                    .token = token};
    check_destination(new.rank, to, to ? least : 0);
    return payload ? keep(&new)
                   : keep_made(&new, gas_prepare_reply_long(token, least, new.bytes, to,
                                                            &new.prepared));
}

static void check_prepared(const char *function, const struct fl_gasnet_srcdesc *prepared) {
    if (FL_UNLIKELY(prepared != &own || !own.in_use)) {
        fl_gasnet_misuse(function, "the thread has not prepared this message, or has committed or "
                                   "cancelled it");
    }
}

void *gex_AM_SrcDescAddr(gex_AM_SrcDesc_t prepared) {
    check_prepared("gex_AM_SrcDescAddr", prepared);
    return prepared->payload ? (void *)(uintptr_t)prepared->payload : prepared->prepared.payload;
}

size_t gex_AM_SrcDescSize(gex_AM_SrcDesc_t prepared) {
    check_prepared("gex_AM_SrcDescSize", prepared);
    return prepared->bytes;
}

static void check(const char *function, enum fl_gasnet_way way,
                  const struct fl_gasnet_srcdesc *prepared) {
    if (FL_UNLIKELY(prepared != &own || !own.in_use || own.way != way)) {
        fl_gasnet_misuse(function, "a %s that this thread has not prepared", names[way]);
    }
}

/* What a commit says again, or for the first time. */
static void check_commit(size_t bytes, void *to, unsigned n) {
    if (FL_UNLIKELY(bytes > own.bytes)) {
        fl_gasnet_misuse("gex_AM_Commit", "%zu bytes, where %zu were prepared", bytes, own.bytes);
    }
    if (FL_UNLIKELY(n != own.n_args)) {
        fl_gasnet_misuse("gex_AM_Commit", "%u arguments, where %u were prepared", n, own.n_args);
    }
    if (FL_UNLIKELY(own.to && to != own.to)) {
        fl_gasnet_misuse("gex_AM_Commit", "the destination is %p, where %p was prepared", to,
                         own.to);
    }
    if (own.way == FL_GASNET_REQUEST_LONG || own.way == FL_GASNET_REPLY_LONG) {
        check_destination(own.rank, to, bytes);
    }
}

/* Sends a payload in the client's memory as an ordinary message. */
static int send_whole(const struct fl_gasnet_srcdesc *m, gex_AM_Index_t index, size_t bytes,
                      void *to, gex_Flags_t flags, const uint32_t *args, unsigned n) {
    switch (m->way) {
    case FL_GASNET_REQUEST_MEDIUM:
        return fl_gasnet_request_medium(m->rank, index, m->payload, bytes, m->local, flags, args,
                                        n);
    case FL_GASNET_REQUEST_LONG:
        return fl_gasnet_request_long(m->rank, index, m->payload, bytes, to, m->local, flags,
                                      args, n);
    case FL_GASNET_REPLY_MEDIUM:
        fl_gasnet_completed(m->local);
        gas_reply_medium(m->token, index, m->payload, bytes, args, n);
        return GASNET_OK;
    case FL_GASNET_REPLY_LONG:
        fl_gasnet_completed(m->local);
        gas_reply_long(m->token, index, m->payload, bytes, to, args, n);
    }
    return GASNET_OK;
}

int fl_gasnet_commit(enum fl_gasnet_way way, gex_AM_SrcDesc_t prepared, gex_AM_Index_t index,
                     size_t bytes, void *to, gex_Flags_t flags, const uint32_t *args, unsigned n) {
    check("gex_AM_Commit", way, prepared);
    check_commit(bytes, to, n);
    /* A copy: a message to this rank may call its handler, which may prepare a reply in `own`. */
    struct fl_gasnet_srcdesc sent = own;
    own.in_use = false;
    if (sent.payload) {
        int result = send_whole(&sent, index, bytes, to, flags, args, n);
        if (result != GASNET_OK) {
            own = sent;
        }
        return result;
    }
    if (way == FL_GASNET_REQUEST_LONG || way == FL_GASNET_REPLY_LONG) {
        gas_commit_long(&sent.prepared, index, bytes, to, args, n);
    } else {
        gas_commit(&sent.prepared, index, bytes, args, n);
    }
    return GASNET_OK;
}

int fl_gasnet_cancel(enum fl_gasnet_way way, gex_AM_SrcDesc_t prepared, gex_Flags_t flags) {
    (void)flags;
    check("gex_AM_Cancel", way, prepared);
    own.in_use = false;
    if (!own.payload) {
        gas_cancel(&own.prepared);
    }
    return GASNET_OK;
}
