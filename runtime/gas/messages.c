/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Active messages: on this host through the room am, between hosts as calls of comm. The first word
 * of a call holds its kind; then follow a long message's address and length, and the arguments in
 * pairs. Arguments that do not fit go ahead in a separate call: calls from one process to another
 * arrive in order.
 */
#include "gas/inside.h"

#include <stdlib.h>
#include <string.h>

/* ---- handlers ---- */

static inline void run(struct gas_token *token, const uint32_t *args, unsigned n_args,
                       void *payload, size_t bytes) {
    gas_handler_function *handler = gas_process.handlers[token->handler];
    if (FL_UNLIKELY(!handler)) {
        gas_misuse("a message from rank %u for handler %u, which rank %u has not registered",
                   token->source, token->handler, gas_rank());
    }
    handler(token, args, n_args, payload, bytes);
}

void gas_deliver(struct fl_am *am, struct fl_am_head head, const uint32_t *args, unsigned n_args,
                 void *payload, uint64_t bytes) {
    (void)am;
    struct gas_token token = {.source = gas_process.first + head.from,
                              .handler = head.handler,
                              .category = head.tag,
                              .is_request = head.kind == FL_AM_REQUEST};
    run(&token, args, n_args, payload, bytes);
}

void gas_register(gas_handler_t handler, gas_handler_function *function) {
    gas_process.handlers[handler] = function;
}

void gas_token_info(gas_token_t token, struct gas_token_info *info_p) {
    *info_p = (struct gas_token_info){token->source, token->handler, token->is_request,
                                      (enum gas_category)token->category};
}

size_t gas_max_medium(void) {
    size_t most = fl_comm_payload_most();
    return gas_process.job.hosts > 1 && most < FL_AM_MEDIUM ? most : FL_AM_MEDIUM;
}

size_t gas_max_long(void) {
    return gas_segment_most();
}

/* ---- between hosts ---- */

/* Number of arguments that fit behind a message's fixed words. */
static unsigned args_with(enum gas_category category) {
    return 2 * (FL_COMM_WORDS - (category == GAS_LONG ? 3 : 1));
}

static unsigned put_args(uint64_t *words, const uint32_t *args, unsigned n_args) {
    words[(n_args + 1) / 2 - (n_args > 0)] = 0; /* the half after an odd argument */
    if (n_args > 0) {
        memcpy(words, args, n_args * sizeof *args);
    }
    return (n_args + 1) / 2;
}

static uint64_t first_word(enum gas_wire wire, enum fl_am_kind kind, struct fl_am_send m) {
    return (uint64_t)wire | (uint64_t)m.handler << 8 | (uint64_t)m.n_args << 16 |
           (uint64_t)m.tag << 24 | (uint64_t)(kind == FL_AM_REPLY) << 32;
}

static void send_away(gas_rank_t to, enum fl_am_kind kind, struct fl_am_send m) {
    enum gas_wire wire = kind == FL_AM_REPLY ? GAS_WIRE_REPLY : GAS_WIRE_REQUEST;
    uint64_t words[FL_COMM_WORDS + 1] = {first_word(wire, kind, m)};
    unsigned n = 1;
    unsigned most = args_with((enum gas_category)m.tag);
    unsigned here = m.n_args < most ? m.n_args : most;
    bool more = here < m.n_args;
    bool lock = more && kind == FL_AM_REQUEST; /* replies are serialised anyway */
    if (lock) {
        fl_mutex_lock(&gas_process.more);
    }
    if (more) {
        uint64_t ahead[FL_COMM_WORDS + 1] = {first_word(GAS_WIRE_MORE, kind, m)};
        unsigned n_ahead = 1 + put_args(&ahead[1], m.args + here, m.n_args - here);
        fl_comm_tell(to, FL_COMM_GAS, ahead, n_ahead, NULL, 0);
    }
    if (m.is_long) {
        words[n++] = (uint64_t)(uintptr_t)m.address;
        words[n++] = m.bytes;
    }
    n += put_args(&words[n], m.args, here);
    fl_comm_tell(to, FL_COMM_GAS, words, n, m.payload, m.is_long ? 0 : m.bytes);
    if (lock) {
        fl_mutex_unlock(&gas_process.more);
    }
}

static void *checked(const struct fl_comm_call *call, uint64_t address, uint64_t bytes) {
    uint64_t offset = address - gas_here.base;
    bool outside = offset > gas_here.bytes || bytes > gas_here.bytes - offset;
    if (FL_UNLIKELY(bytes > 0 && outside)) {
        gas_misuse("a long message of rank %u with %llu bytes for 0x%llx, which is no segment",
                   call->asker.proc, (unsigned long long)bytes, (unsigned long long)address);
    }
    return (void *)(uintptr_t)address;
}

static struct gas_more *ahead_of(const struct fl_comm_call *call) {
    return &gas_process.ahead[call->words[0] >> 32 & 1][call->asker.proc];
}

static void deliver(const struct fl_comm_call *call) {
    uint64_t first = call->words[0];
    enum gas_category category = (enum gas_category)(first >> 24 & 3);
    bool is_long = category == GAS_LONG;
    unsigned n_args = first >> 16 & 0xff;
    unsigned at = is_long ? 3 : 1;
    unsigned here = n_args < args_with(category) ? n_args : args_with(category);
    if (n_args > GAS_ARGS_MOST || call->n_words != at + (here + 1) / 2) {
        gas_misuse("a message of rank %u that makes no sense", call->asker.proc);
    }
    uint32_t args[GAS_ARGS_MOST];
    memcpy(args, &call->words[at], here * sizeof *args);
    memcpy(&args[here], ahead_of(call)->words, (n_args - here) * sizeof *args);
    struct gas_token token = {
        .source = call->asker.proc,
        .handler = (gas_handler_t)(first >> 8),
        .category = (uint8_t)category,
        .is_request = (first & 0xff) == GAS_WIRE_REQUEST,
        .is_away = true,
    };
    size_t bytes = is_long ? call->words[2] : call->bytes;
    void *payload = is_long ? checked(call, call->words[1], bytes)
                            : (void *)(uintptr_t)call->payload;
    run(&token, args, n_args, payload, bytes);
}

void gas_serve(void *context, const struct fl_comm_call *call) {
    (void)context;
    switch (call->words[0] & 0xff) {
    case GAS_WIRE_MORE:
        memcpy(ahead_of(call)->words, &call->words[1], (call->n_words - 1) * sizeof(uint64_t));
        break;
    case GAS_WIRE_BYTES:
        memcpy(checked(call, call->words[1], call->bytes), call->payload, call->bytes);
        break;
    case GAS_WIRE_ARRIVED:
        gas_barrier_serve(call);
        break;
    default:
        deliver(call);
    }
}

/* ---- requests ---- */

static void check(gas_rank_t to, gas_handler_t handler, size_t bytes, size_t most,
                  unsigned n_args) {
    if (FL_UNLIKELY(to >= gas_process.job.procs || n_args > GAS_ARGS_MOST || bytes > most)) {
        gas_misuse("a message to rank %u of %u, handler %u, with %u arguments and %zu bytes; most "
                   "are %d and %zu",
                   to, gas_process.job.procs, handler, n_args, bytes, GAS_ARGS_MOST, most);
    }
}

static inline __attribute__((always_inline)) int request(gas_rank_t to, unsigned flags,
                                                         struct fl_am_send m) {
    if (FL_UNLIKELY(!gas_rank_is_here(to))) {
        send_away(to, FL_AM_REQUEST, m);
        return GAS_OK;
    }
    unsigned at = to - gas_process.first;
    if (FL_UNLIKELY(flags & GAS_IMMEDIATE)) {
        return fl_am_request_try(&gas_process.am, at, m) ? GAS_OK : GAS_ERR_NOT_READY;
    }
    fl_am_send_to(&gas_process.am, at, FL_AM_REQUEST, m);
    return GAS_OK;
}

/* The message of a category with these parameters of a function; the tag is the category. */
static inline struct fl_am_send short_message(gas_handler_t handler, const uint32_t *args,
                                              unsigned n_args) {
    return (struct fl_am_send){
        .handler = handler, .n_args = (uint8_t)n_args, .tag = GAS_SHORT, .args = args};
}

static inline struct fl_am_send medium_message(gas_handler_t handler, const void *payload,
                                               size_t bytes, const uint32_t *args,
                                               unsigned n_args) {
    return (struct fl_am_send){.handler = handler,
                               .n_args = (uint8_t)n_args,
                               .tag = GAS_MEDIUM,
                               .args = args,
                               .payload = payload,
                               .bytes = bytes};
}

static inline struct fl_am_send long_message(gas_handler_t handler, const void *payload,
                                             size_t bytes, void *address, const uint32_t *args,
                                             unsigned n_args) {
    return (struct fl_am_send){.handler = handler,
                               .n_args = (uint8_t)n_args,
                               .tag = GAS_LONG,
                               .is_long = true,
                               .args = args,
                               .payload = payload,
                               .bytes = bytes,
                               .address = address};
}

int gas_request_short(gas_rank_t to, gas_handler_t handler, unsigned flags, const uint32_t *args,
                      unsigned n_args) {
    check(to, handler, 0, 0, n_args);
    return request(to, flags, short_message(handler, args, n_args));
}

int gas_request_medium(gas_rank_t to, gas_handler_t handler, const void *payload, size_t bytes,
                       unsigned flags, const uint32_t *args, unsigned n_args) {
    check(to, handler, bytes, gas_max_medium(), n_args);
    return request(to, flags, medium_message(handler, payload, bytes, args, n_args));
}

int gas_request_long(gas_rank_t to, gas_handler_t handler, const void *payload, size_t bytes,
                     void *address, gas_event_t *local, unsigned flags, const uint32_t *args,
                     unsigned n_args) {
    check(to, handler, bytes, gas_max_long(), n_args);
    gas_event_t event = GAS_EVENT_DONE;
    if (FL_UNLIKELY(!gas_rank_is_here(to)) && bytes > 0) {
        event = gas_put_nb(address, payload, bytes, GAS_EVENT_DEFER); /* before the message */
    }
    int result = request(to, flags, long_message(handler, payload, bytes, address, args, n_args));
    if (local == GAS_EVENT_NOW) {
        gas_event_wait(event);
    } else if (local == GAS_EVENT_DEFER) {
        gas_nbi_add_to(GAS_NBI_AM, event);
    } else {
        *local = event;
    }
    return result;
}

/* ---- replies ---- */

static inline void check_reply(gas_token_t token) {
    if (FL_UNLIKELY(!token->is_request || token->replied)) {
        gas_misuse(token->is_request ? "a second reply of one handler" : "a reply to a reply");
    }
}

/* A handler may not wait, so it cannot put: calls carry the bytes, and copy them. */
static void send_bytes(gas_rank_t to, struct fl_am_send m) {
    size_t most = fl_comm_payload_most();
    for (size_t at = 0; at < m.bytes; at += most) {
        const uint64_t words[] = {GAS_WIRE_BYTES, (uint64_t)(uintptr_t)m.address + at};
        fl_comm_tell(to, FL_COMM_GAS, words, 2, (const char *)m.payload + at,
                     m.bytes - at < most ? m.bytes - at : most);
    }
}

static inline __attribute__((always_inline)) void reply(gas_token_t token, struct fl_am_send m,
                                                        size_t most, unsigned n_args) {
    check(token->source, m.handler, m.bytes, most, n_args);
    check_reply(token);
    token->replied = true;
    if (FL_LIKELY(!token->is_away)) {
        fl_am_send_to(&gas_process.am, token->source - gas_process.first, FL_AM_REPLY, m);
        return;
    }
    if (m.is_long) {
        send_bytes(token->source, m);
    }
    send_away(token->source, FL_AM_REPLY, m);
}

void gas_reply_short(gas_token_t token, gas_handler_t handler, const uint32_t *args,
                     unsigned n_args) {
    reply(token, short_message(handler, args, n_args), 0, n_args);
}

void gas_reply_medium(gas_token_t token, gas_handler_t handler, const void *payload, size_t bytes,
                      const uint32_t *args, unsigned n_args) {
    reply(token, medium_message(handler, payload, bytes, args, n_args), gas_max_medium(), n_args);
}

void gas_reply_long(gas_token_t token, gas_handler_t handler, const void *payload, size_t bytes,
                    void *address, const uint32_t *args, unsigned n_args) {
    reply(token, long_message(handler, payload, bytes, address, args, n_args), gas_max_long(),
          n_args);
}

/* ---- negotiated payload ---- */

/* The content of gas_prepared's `hidden`. */
struct prepared {
    struct fl_am_room room; /* for a medium message on this host */
    gas_token_t token;      /* null: a request */
    void *address;          /* of a long message; null: still unknown, so the payload is a buffer */
    gas_rank_t to;
    enum gas_category category;
    bool is_buffer; /* malloc returned the payload */
};
_Static_assert(sizeof(struct prepared) <= sizeof((struct gas_prepared *)0)->hidden,
               "what was prepared fits");

static void *make_buffer(size_t bytes) {
    return FL_ALLOCATED(malloc(bytes ? bytes : 1), "a message of %zu bytes", bytes);
}

/* The caller writes a medium message on this host in place, in the receiver's inbox. */
static bool get_room(struct prepared *prepared, size_t bytes, bool wait) {
    unsigned at = prepared->to - gas_process.first;
    enum fl_am_kind kind = prepared->token ? FL_AM_REPLY : FL_AM_REQUEST;
    if (!wait) {
        return fl_am_prepare_try(&gas_process.am, at, kind, bytes, &prepared->room);
    }
    fl_am_prepare(&gas_process.am, at, kind, bytes, &prepared->room);
    return true;
}

/* The caller writes a long message at its destination if that is on this host and already known. */
static int prepare(struct prepared *prepared, size_t least, size_t most, bool wait,
                   struct gas_prepared *prepared_p) {
    size_t limit = prepared->category == GAS_LONG ? gas_max_long() : gas_max_medium();
    check(prepared->to, 0, least, limit, 0);
    size_t bytes = most < limit ? most : limit;
    bool is_here = gas_rank_is_here(prepared->to);
    if (is_here && prepared->category == GAS_MEDIUM) {
        if (!get_room(prepared, bytes, wait)) {
            return GAS_ERR_NOT_READY;
        }
        prepared_p->payload = prepared->room.payload;
    } else if (is_here && prepared->address) {
        prepared_p->payload = prepared->address;
    } else {
        prepared_p->payload = make_buffer(bytes);
        prepared->is_buffer = true;
    }
    prepared_p->bytes = bytes;
    memcpy(prepared_p->hidden, prepared, sizeof *prepared);
    return GAS_OK;
}

int gas_prepare_medium(gas_rank_t to, size_t least, size_t most, struct gas_prepared *prepared_p) {
    struct prepared prepared = {.to = to, .category = GAS_MEDIUM};
    return prepare(&prepared, least, most, true, prepared_p);
}

int gas_prepare_medium_try(gas_rank_t to, size_t least, size_t most,
                           struct gas_prepared *prepared_p) {
    struct prepared prepared = {.to = to, .category = GAS_MEDIUM};
    return prepare(&prepared, least, most, false, prepared_p);
}

int gas_prepare_long(gas_rank_t to, size_t least, size_t most, void *address,
                     struct gas_prepared *prepared_p) {
    struct prepared prepared = {.to = to, .category = GAS_LONG, .address = address};
    return prepare(&prepared, least, most, true, prepared_p);
}

int gas_prepare_reply_medium(gas_token_t token, size_t least, size_t most,
                             struct gas_prepared *prepared_p) {
    struct prepared prepared = {.to = token->source, .category = GAS_MEDIUM, .token = token};
    check_reply(token);
    return prepare(&prepared, least, most, true, prepared_p);
}

int gas_prepare_reply_long(gas_token_t token, size_t least, size_t most, void *address,
                           struct gas_prepared *prepared_p) {
    struct prepared prepared = {
        .to = token->source, .category = GAS_LONG, .token = token, .address = address};
    check_reply(token);
    return prepare(&prepared, least, most, true, prepared_p);
}

static bool is_in_place(const struct prepared *prepared) {
    return prepared->category == GAS_MEDIUM && !prepared->is_buffer;
}

static void release(struct gas_prepared *prepared_p, const struct prepared *prepared) {
    if (prepared->is_buffer) {
        free(prepared_p->payload);
    }
    prepared_p->payload = NULL;
}

void gas_commit(struct gas_prepared *prepared_p, gas_handler_t handler, size_t bytes,
                const uint32_t *args, unsigned n_args) {
    struct prepared prepared;
    memcpy(&prepared, prepared_p->hidden, sizeof prepared);
    check(prepared.to, handler, bytes, prepared_p->bytes, n_args);
    if (is_in_place(&prepared)) {
        fl_am_commit(&gas_process.am, &prepared.room,
                     medium_message(handler, NULL, bytes, args, n_args));
        if (prepared.token) {
            prepared.token->replied = true;
        }
    } else if (prepared.token && prepared.category == GAS_LONG) {
        gas_reply_long(prepared.token, handler, prepared_p->payload, bytes, prepared.address, args,
                       n_args);
    } else if (prepared.token) {
        gas_reply_medium(prepared.token, handler, prepared_p->payload, bytes, args, n_args);
    } else if (prepared.category == GAS_LONG) {
        (void)gas_request_long(prepared.to, handler, prepared_p->payload, bytes, prepared.address,
                               GAS_EVENT_NOW, 0, args, n_args);
    } else {
        (void)gas_request_medium(prepared.to, handler, prepared_p->payload, bytes, 0, args,
                                 n_args);
    }
    release(prepared_p, &prepared);
}

void gas_commit_long(struct gas_prepared *prepared_p, gas_handler_t handler, size_t bytes,
                     void *address, const uint32_t *args, unsigned n_args) {
    struct prepared prepared;
    memcpy(&prepared, prepared_p->hidden, sizeof prepared);
    if (prepared.category != GAS_LONG || (prepared.address && prepared.address != address)) {
        gas_misuse("gas_commit_long: the message was prepared for %s",
                   prepared.category != GAS_LONG ? "no address" : "another address");
    }
    prepared.address = address;
    memcpy(prepared_p->hidden, &prepared, sizeof prepared);
    gas_commit(prepared_p, handler, bytes, args, n_args);
}

void gas_cancel(struct gas_prepared *prepared_p) {
    struct prepared prepared;
    memcpy(&prepared, prepared_p->hidden, sizeof prepared);
    if (is_in_place(&prepared)) {
        fl_am_cancel(&gas_process.am, &prepared.room);
    }
    release(prepared_p, &prepared);
}
