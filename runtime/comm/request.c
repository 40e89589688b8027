/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests that wait for an answer, and how much may be on its way. What a process sends to another
 * is bounded by a window of bytes; messages that have no answer give their part of it back by
 * credits.
 */
#include "comm/inside.h"

/* While at most half of the window is in flight, any message may start: it may be larger than what
 * is left, and credits come back in quarters. */
bool fl_comm_has_room(unsigned proc, uint32_t charge) {
    uint32_t in_flight = fl_comm_state.peers[proc].in_flight;
    return fl_comm_state.free != FL_COMM_NO_REQUEST && !fl_comm_one_sided_pending(proc) &&
           (in_flight <= fl_comm_state.window / 2 || in_flight + charge <= fl_comm_state.window);
}

void fl_comm_await_room(unsigned proc, uint32_t charge) {
    struct fl_comm_patience patience = {0};
    fl_comm_state.peers[proc].waiting++;
    do {
        fl_comm_leave();
        fl_comm_idle(&patience);
        fl_comm_enter();
    } while (!fl_comm_has_room(proc, charge));
    fl_comm_state.peers[proc].waiting--;
}

void fl_comm_enter_with_room(unsigned proc, uint32_t charge) {
    fl_comm_enter();
    if (FL_UNLIKELY(!fl_comm_has_room(proc, charge))) {
        fl_comm_await_room(proc, charge);
    }
}

void fl_comm_begin_towards(unsigned proc, struct fl_comm_op *op) {
    struct fl_comm_own *own = &fl_comm_own;
    if (op == &own->op) {
        bool is_first = fl_comm_has_ended(op);
        own->goes_to_several = !is_first && (own->goes_to_several || own->proc != proc);
        own->proc = proc;
    }
    fl_comm_op_begin(op);
}

struct fl_comm_request *fl_comm_request_new(unsigned proc, enum fl_comm_kind kind, uint32_t charge,
                                            struct fl_comm_op *op) {
    fl_assert(fl_comm_has_entered() && fl_comm_state.free < FL_COMM_REQUESTS);
    struct fl_comm_request *request = &fl_comm_state.requests[fl_comm_state.free];
    fl_assert(request->kind == 0);
    fl_comm_state.free = request->next_free ? request->next_free - 1 : fl_comm_state.free + 1;
    request->op = op;
    request->proc = proc;
    request->kind = (uint8_t)kind;
    request->charge = charge;
    fl_comm_state.peers[proc].in_flight += charge;
    fl_comm_state.peers[proc].transfers += kind != FL_COMM_KIND_ASK;
    fl_comm_begin_towards(proc, op);
    return request;
}

uint64_t fl_comm_cookie(const struct fl_comm_request *request) {
    return (uint64_t)(request - fl_comm_state.requests) << 32 | (request->generation + 1u);
}

static struct fl_comm_request *find(const struct fl_comm_message *m, uint64_t cookie) {
    struct fl_comm_request *request = &fl_comm_state.requests[(cookie >> 32) % FL_COMM_REQUESTS];
    if (request->kind == 0 || fl_comm_cookie(request) != cookie || request->proc != m->from) {
        fl_comm_bad(m, "it answers what nobody asked");
    }
    return request;
}

struct fl_comm_request *fl_comm_request_of(const struct fl_comm_message *m,
                                           enum fl_comm_kind kind) {
    struct fl_comm_request *request = find(m, m->cookie);
    if (request->kind != kind) {
        fl_comm_bad(m, "it answers something else");
    }
    return request;
}

void fl_comm_request_end(struct fl_comm_request *request) {
    struct fl_comm_op *op = request->op;
    fl_assert(fl_comm_has_entered() && request->kind != 0);
    fl_assert(fl_comm_state.peers[request->proc].in_flight >= request->charge);
    fl_comm_state.peers[request->proc].in_flight -= request->charge;
    fl_comm_state.peers[request->proc].transfers -= request->kind != FL_COMM_KIND_ASK;
    request->kind = 0;
    request->generation += request->generation == UINT32_MAX - 1 ? 2 : 1; /* no cookie is 0 */
    request->next_free = fl_comm_state.free + 1;
    fl_comm_state.free = (uint16_t)(request - fl_comm_state.requests);
    fl_comm_op_end(op);
}

void fl_comm_request_to_tell(struct fl_comm_request *request, size_t bytes) {
    uint32_t charge = fl_comm_cost(bytes);
    fl_assert(request->charge >= charge);
    request->charge -= charge; /* the rest stays in flight, for a credit to give it back */
    fl_comm_request_end(request);
}

void fl_comm_serve_ended(const struct fl_comm_message *m, const void *payload, size_t bytes) {
    (void)payload;
    (void)bytes;
    fl_comm_request_end(find(m, m->cookie));
    for (unsigned i = 0; i < m->n_words; i++) {
        fl_comm_request_end(find(m, m->words[i]));
    }
}

/* Confirmations of one poll go together, if they are to one process. */
void fl_comm_send_ended(const struct fl_comm_message *m) {
    struct fl_comm_state *comm = &fl_comm_state;
    if (m->cookie == 0) {
        return;
    }
    if (comm->n_ended > 0 && (comm->ended_to != m->from || comm->n_ended > FL_COMM_WORDS)) {
        fl_comm_flush_ended();
    }
    fl_assert(comm->n_ended <= FL_COMM_WORDS && fl_comm_serving);
    if (comm->n_ended == 0) {
        comm->ended_to = m->from;
        comm->ended.cookie = m->cookie;
    } else {
        comm->ended.words[comm->n_ended - 1] = m->cookie;
    }
    comm->n_ended++;
}

void fl_comm_flush_ended(void) {
    struct fl_comm_state *comm = &fl_comm_state;
    if (comm->n_ended > 0) {
        comm->ended.kind = FL_COMM_KIND_ENDED;
        comm->ended.n_words = (uint8_t)(comm->n_ended - 1);
        comm->n_ended = 0;
        fl_comm_send(comm->ended_to, &comm->ended, NULL, 0, false);
    }
}

void fl_comm_give_back(unsigned proc, size_t bytes) {
    struct fl_comm_peer *peer = &fl_comm_state.peers[proc];
    peer->owed += fl_comm_cost(bytes);
    if (peer->owed >= fl_comm_state.window / 4) {
        struct fl_comm_message credit = {
            .kind = FL_COMM_KIND_CREDIT, .n_words = 1, .words = {peer->owed}};
        peer->owed = 0;
        fl_comm_send(proc, &credit, NULL, 0, false);
    }
}

void fl_comm_serve_credit(const struct fl_comm_message *m, const void *payload, size_t bytes) {
    (void)payload;
    (void)bytes;
    struct fl_comm_peer *peer = &fl_comm_state.peers[m->from];
    if (m->words[0] > peer->in_flight) {
        fl_comm_bad(m, "it gives back more than it has got");
    }
    peer->in_flight -= (uint32_t)m->words[0];
}
