/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of handlers. A process calls its own as it does others': one handler at a time, and what
 * a handler calls in its own process runs when it has returned.
 */
#include "comm/inside.h"

#include <stdlib.h>
#include <string.h>

struct fl_comm_own_call {
    struct fl_comm_own_call *next;
    struct fl_comm_message m;
    size_t bytes;
    unsigned char payload[];
};

/* Transports deliver a payload at any address. Only handlers that just copy it can use it there. */
static const void *aligned(const void *payload, size_t bytes) {
    return ((uintptr_t)payload & 7) == 0 ? payload
                                         : memcpy(fl_comm_state.aligned, payload, bytes);
}

void fl_comm_run_handler(const struct fl_comm_message *m, const void *payload, size_t bytes) {
    if (m->what >= FL_COMM_HANDLERS || !fl_comm_state.handlers[m->what].run) {
        fl_comm_bad(m, "it calls a handler that is not there");
    }
    bool tells = m->kind == FL_COMM_KIND_TELL;
    const struct fl_comm_call call = {
        .asker = {.proc = m->from, .cookie = m->kind == FL_COMM_KIND_ASK ? m->cookie : 0},
        .n_words = m->n_words + tells,
        .words = tells ? m->told : m->words,
        .payload = fl_comm_state.handlers[m->what].only_moves ? payload : aligned(payload, bytes),
        .bytes = bytes,
    };
    fl_comm_state.handlers[m->what].run(fl_comm_state.handlers[m->what].context, &call);
}

static void call_own(const struct fl_comm_message *m, const void *payload, size_t bytes) {
    struct fl_comm_own_call *call = FL_ALLOCATED(malloc(sizeof *call + bytes),
                                                 "a message of %zu bytes", bytes);
    call->next = NULL;
    call->m = *m;
    call->m.from = fl_comm_state.me;
    call->bytes = bytes;
    if (bytes > 0) {
        memcpy(call->payload, payload, bytes);
    }
    fl_assert(fl_comm_has_entered() && !*fl_comm_state.own_last);
    *fl_comm_state.own_last = call;
    fl_comm_state.own_last = &call->next;
}

void fl_comm_run_own_calls(void) {
    struct fl_comm_own_call *call;
    fl_assert(fl_comm_serving && fl_comm_has_entered());
    while ((call = fl_comm_state.own_first)) {
        fl_comm_state.own_first = call->next;
        if (!call->next) {
            fl_comm_state.own_last = &fl_comm_state.own_first;
        }
        fl_comm_run_handler(&call->m, call->payload, call->bytes);
        free(call);
    }
}

/* For a thread that has entered and does not serve: its process's own calls run before it
 * leaves. */
static void leave(void) {
    fl_assert(!fl_comm_serving);
    if (FL_UNLIKELY(fl_comm_state.own_first)) {
        fl_comm_serving = true;
        fl_comm_run_own_calls();
        fl_comm_serving = false;
    }
    fl_comm_leave();
}

static void send_call(unsigned proc, struct fl_comm_message *m, const void *payload, size_t bytes,
                      bool in_place) {
    if (proc == fl_comm_state.me) {
        call_own(m, payload, bytes);
    } else {
        fl_comm_send(proc, m, payload, bytes, in_place);
    }
}

static struct fl_comm_message message(enum fl_comm_kind kind, enum fl_comm_handler_id id,
                                      const uint64_t *words, unsigned n_words) {
    struct fl_comm_message m = {
        .kind = (uint8_t)kind, .what = (uint8_t)id, .n_words = (uint8_t)n_words};
    if (n_words > 0) {
        memcpy(m.words, words, n_words * sizeof *words);
    }
    return m;
}

/* A signal behind small writes is one message with them. */
static bool tell_behind_batch(unsigned proc, enum fl_comm_handler_id id, const uint64_t *words,
                              unsigned n_words) {
    if (fl_comm_serving || n_words > FL_COMM_WORDS || proc == fl_comm_state.me) {
        return false;
    }
    struct fl_comm_message m = message(FL_COMM_KIND_RECORDS, id, words, n_words);
    return fl_comm_flush_with(proc, &m);
}

static void tell(unsigned proc, enum fl_comm_handler_id id, const uint64_t *words,
                 unsigned n_words, const void *payload, size_t bytes, bool in_place) {
    if (bytes == 0 && tell_behind_batch(proc, id, words, n_words)) {
        return;
    }
    bool serving = fl_comm_serving;
    uint32_t charge = proc == fl_comm_state.me ? 0 : fl_comm_cost(bytes);
    if (!serving) {
        fl_comm_enter_in_order(proc, charge);
    }
    fl_comm_state.peers[proc].in_flight += charge;
    struct fl_comm_message m = {
        .kind = FL_COMM_KIND_TELL, .what = (uint8_t)id, .n_words = (uint8_t)(n_words - 1)};
    memcpy(m.told, words, n_words * sizeof *words);
    send_call(proc, &m, payload, bytes, in_place);
    if (!serving) {
        leave();
    }
}

void fl_comm_tell(unsigned proc, enum fl_comm_handler_id id, const uint64_t *words,
                  unsigned n_words, const void *payload, size_t bytes) {
    tell(proc, id, words, n_words, payload, bytes, false);
}

void fl_comm_tell_in_place(unsigned proc, enum fl_comm_handler_id id, const uint64_t *words,
                           unsigned n_words, const void *payload, size_t bytes) {
    tell(proc, id, words, n_words, payload, bytes, true);
}

void fl_comm_serve_tell(const struct fl_comm_message *m, const void *payload, size_t bytes) {
    fl_comm_run_handler(m, payload, bytes);
    fl_comm_give_back(m->from, bytes);
}

static void ask(unsigned proc, enum fl_comm_handler_id id, const uint64_t *words,
                unsigned n_words, const void *payload, size_t bytes,
                struct fl_comm_answer *answer, struct fl_comm_op *op) {
    uint32_t charge = proc == fl_comm_state.me ? 0 : fl_comm_cost(bytes);
    fl_comm_enter_in_order(proc, charge);
    struct fl_comm_request *request = fl_comm_request_new(proc, FL_COMM_KIND_ASK, charge, op);
    request->to = answer;
    struct fl_comm_message m = message(FL_COMM_KIND_ASK, id, words, n_words);
    m.cookie = fl_comm_cookie(request);
    send_call(proc, &m, payload, bytes, bytes > FL_COMM_COPIED);
    leave();
}

void fl_comm_ask(unsigned proc, enum fl_comm_handler_id id, const uint64_t *words,
                 unsigned n_words, const void *payload, size_t bytes,
                 struct fl_comm_answer *answer) {
    struct fl_comm_op op = {0};
    ask(proc, id, words, n_words, payload, bytes, answer, &op);
    fl_comm_wait(&op);
}

void fl_comm_ask_nb(unsigned proc, enum fl_comm_handler_id id, const uint64_t *words,
                    unsigned n_words, const void *payload, size_t bytes, struct fl_comm_op *op) {
    ask(proc, id, words, n_words, payload, bytes, NULL, op);
}

void fl_comm_serve_ask(const struct fl_comm_message *m, const void *payload, size_t bytes) {
    if (m->cookie == 0) {
        fl_comm_bad(m, "it asks, and wants no answer");
    }
    fl_comm_run_handler(m, payload, bytes);
}

void fl_comm_answer(struct fl_comm_asker asker, const uint64_t *words, unsigned n_words,
                    const void *payload, size_t bytes) {
    bool serving = fl_comm_serving;
    if (!serving) {
        fl_comm_enter();
    }
    struct fl_comm_message m = message(FL_COMM_KIND_ANSWER, FL_COMM_HANDLERS, words, n_words);
    m.cookie = asker.cookie;
    if (asker.proc == fl_comm_state.me) {
        m.from = asker.proc;
        fl_comm_serve_answer(&m, payload, bytes);
    } else {
        fl_comm_send(asker.proc, &m, payload, bytes, false);
    }
    if (!serving) {
        fl_comm_leave();
    }
}

void fl_comm_serve_answer(const struct fl_comm_message *m, const void *payload, size_t bytes) {
    struct fl_comm_request *request = fl_comm_request_of(m, FL_COMM_KIND_ASK);
    struct fl_comm_answer *answer = request->to;
    if (answer) {
        if (bytes > answer->room) {
            fl_comm_bad(m, "the answer has more bytes than there is room for");
        }
        memcpy(answer->words, m->words, m->n_words * sizeof *m->words);
        if (bytes > 0) {
            memcpy(answer->payload, payload, bytes);
        }
        answer->bytes = bytes;
    }
    fl_comm_request_end(request);
}
