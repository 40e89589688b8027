/* SPDX-License-Identifier: BSD-3-Clause */
/* See comm.h: start and end, and what happens to each message first. */
#include "comm/inside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fl_comm_state fl_comm_state;
struct fl_comm_here fl_comm_here = {.bytes = UINT64_MAX, .one_host = true};
_Thread_local struct fl_comm_own fl_comm_own;
struct fl_comm_group fl_comm_together;
_Thread_local bool fl_comm_serving;

enum { WINDOW = 4 << 20, PAYLOAD = 64 << 10 };

/* A pong needs no answer: `deliver` has noted that the sender is alive. */
static void nothing(const struct fl_comm_message *m, const void *payload, size_t bytes) {
    (void)m;
    (void)payload;
    (void)bytes;
}

static void serve_ping(const struct fl_comm_message *m, const void *payload, size_t bytes) {
    (void)payload;
    (void)bytes;
    struct fl_comm_message pong = {.kind = FL_COMM_KIND_PONG};
    fl_comm_send(m->from, &pong, NULL, 0, false);
}

static void serve_bye(const struct fl_comm_message *m, const void *payload, size_t bytes) {
    (void)payload;
    (void)bytes;
    fl_comm_state.peers[m->from].ended = true;
}

static const struct {
    fl_comm_server *serve;
    uint8_t n_words; /* at least */
} kinds[FL_COMM_KINDS] = {
    [FL_COMM_KIND_PUT] = {fl_comm_serve_put, 1},
    [FL_COMM_KIND_RECORDS] = {fl_comm_serve_records, 0},
    [FL_COMM_KIND_SET] = {fl_comm_serve_set, 2},
    [FL_COMM_KIND_COPY] = {fl_comm_serve_copy, 3},
    [FL_COMM_KIND_ENDED] = {fl_comm_serve_ended, 0},
    [FL_COMM_KIND_GET] = {fl_comm_serve_get, 2},
    [FL_COMM_KIND_GETS] = {fl_comm_serve_gets, 0},
    [FL_COMM_KIND_PIECES] = {fl_comm_serve_pieces, 0},
    [FL_COMM_KIND_GATHER] = {fl_comm_serve_gather, 1},
    [FL_COMM_KIND_ELEMENTS] = {fl_comm_serve_elements, 0},
    [FL_COMM_KIND_DATA] = {fl_comm_serve_data, 1},
    [FL_COMM_KIND_ATOMIC] = {fl_comm_serve_atomic, 3},
    [FL_COMM_KIND_VALUE] = {fl_comm_serve_value, 1},
    [FL_COMM_KIND_TELL] = {fl_comm_serve_tell, 0},
    [FL_COMM_KIND_ASK] = {fl_comm_serve_ask, 0},
    [FL_COMM_KIND_ANSWER] = {fl_comm_serve_answer, 0},
    [FL_COMM_KIND_CREDIT] = {fl_comm_serve_credit, 1},
    [FL_COMM_KIND_PING] = {serve_ping, 0},
    [FL_COMM_KIND_PONG] = {nothing, 0},
    [FL_COMM_KIND_BYE] = {serve_bye, 0},
    [FL_COMM_KIND_KEY_ASKED] = {fl_comm_serve_key_asked, 1},
    [FL_COMM_KIND_KEY] = {fl_comm_serve_key, 1},
};

/* Whether it counts as traffic. */
static bool counts(const struct fl_comm_message *m) {
    return m->kind < FL_COMM_KIND_CREDIT &&
           !(m->kind == FL_COMM_KIND_TELL && m->what == FL_COMM_STUCK);
}

/* Checks the job's number first: a message without it is dropped unread. */
static void deliver(void *context, const void *header, size_t header_bytes, const void *payload,
                    size_t bytes) {
    (void)context;
    struct fl_comm_message m;
    if (header_bytes < FL_COMM_HEAD || header_bytes > sizeof m ||
        memcmp(header, &fl_comm_state.setup.job_id, sizeof m.job_id) != 0) {
        fl_comm_state.dropped++;
        return;
    }
    memcpy(&m, header, header_bytes);
    if (m.from >= fl_comm_state.procs || m.kind >= FL_COMM_KINDS ||
        header_bytes != FL_COMM_HEAD + m.n_words * sizeof *m.words ||
        m.n_words < kinds[m.kind].n_words) {
        m.from = m.from < fl_comm_state.procs ? m.from : fl_comm_state.me;
        fl_comm_bad(&m, "its header is not one");
    }
    fl_comm_state.peers[m.from].heard = true;
    fl_comm_state.peers[m.from].talked = true;
    fl_comm_state.traffic.received += counts(&m);
    kinds[m.kind].serve(&m, payload, bytes);
}

void *fl_comm_allocate(size_t n, size_t size, const char *what) {
    return FL_ALLOCATED(calloc(n, size), "%s: %zu bytes", what, n * size);
}

static void *allocate(size_t n, size_t size) {
    return fl_comm_allocate(n, size, "communication");
}

uint64_t fl_comm_bytes(unsigned procs) {
    return sizeof fl_comm_state + procs * (sizeof(struct fl_comm_peer) + fl_comm_batch_bytes(procs)) +
           FL_COMM_REQUESTS * sizeof(struct fl_comm_request) + PAYLOAD;
}

/* Lists each thread's process: every access to another host needs it, and a search costs more than
 * the rest. */
static void list_procs(void) {
    const struct fl_layout *layout = fl_comm_state.setup.layout;
    fl_comm_state.proc_of = allocate(layout->threads, sizeof *fl_comm_state.proc_of);
    for (unsigned t = 0; t < layout->threads; t++) {
        fl_comm_state.proc_of[t] = fl_layout_proc_of_thread(layout, t);
    }
}

void fl_comm_start(const struct fl_comm_setup *setup, struct fl_net_card *card) {
    struct fl_comm_state *comm = &fl_comm_state;
    const struct fl_layout *layout = setup->layout;
    comm->setup = *setup;
    comm->procs = layout->procs;
    comm->me = layout->me;
    comm->window = setup->window_bytes ? setup->window_bytes : WINDOW;
    comm->own_last = &comm->own_first;
    comm->peers = allocate(comm->procs, sizeof *comm->peers);
    fl_comm_here.base = setup->space->here_base;
    fl_comm_here.bytes = setup->space->here_bytes;
    fl_comm_here.one_host = layout->hosts == 1;
    /* Begins as zeros, so that only what is used takes memory. */
    comm->requests = allocate(FL_COMM_REQUESTS, sizeof *comm->requests);
    list_procs();
    card->bytes = 0;
    comm->payload_most = PAYLOAD;
    if (!setup->net) {
        return;
    }
    fl_comm_aggregate_start();
    comm->payload_most = setup->net->payload_most;
    comm->aligned = allocate(1, comm->payload_most);
    fl_comm_one_sided_start();
    const struct fl_net_setup net = {.procs = comm->procs,
                                     .me = comm->me,
                                     .key = setup->key,
                                     .patience_ms = setup->patience_ms,
                                     .interface = setup->interface,
                                     .one_sided = comm->one_sided != NULL,
                                     .imitated = setup->one_sided == FL_ONE_SIDED_ALWAYS,
                                     .deliver = deliver,
                                     .lost = fl_comm_lost,
                                     .ended = fl_comm_one_sided_ended};
    const char *why = setup->net->open(&net, &comm->net, card);
    if (why) {
        fl_fatal(FL_CODE_NETWORK, "%s cannot use the network: %s", fl_comm_name(comm->me).text,
                 why);
    }
}

void fl_comm_connect(const struct fl_net_card *(*card_of)(void *context, unsigned proc),
                     void *context, struct fl_wait_policy wait) {
    if (!fl_comm_state.net) {
        return;
    }
    fl_comm_state.wait = wait;
    const char *why = fl_comm_state.setup.net->connect(fl_comm_state.net, card_of, context);
    if (why) {
        fl_fatal(FL_CODE_NETWORK, "%s cannot reach the others: %s",
                 fl_comm_name(fl_comm_state.me).text, why);
    }
    fl_comm_pulse_start();
    fl_comm_progress_start();
}

/* Tells all peers, so that none takes the end for a failure. Waits until the transport has sent all
 * the messages, as `gone` counts, but at most a second. */
static void say_goodbye(void) {
    struct fl_comm_state *comm = &fl_comm_state;
    static const char word[8] = "goodbye";
    uint32_t said = 0;
    uint32_t gone = 0;
    for (unsigned p = 0; p < comm->procs; p++) {
        if (comm->peers[p].talked && p != comm->me && !comm->peers[p].lost) {
            struct fl_comm_message bye = {
                .job_id = comm->setup.job_id, .kind = FL_COMM_KIND_BYE, .from = comm->me};
            comm->setup.net->send(comm->net, p, &bye, FL_COMM_HEAD, word, sizeof word, &gone);
            said++;
        }
    }
    uint64_t deadline = fl_os_now_ns() + 1000000000u;
    while (gone < said && fl_os_now_ns() < deadline) {
        if (!fl_comm_serve()) {
            fl_os_yield();
        }
    }
}

void fl_comm_stop(void) {
    struct fl_comm_state *comm = &fl_comm_state;
    if (comm->net) {
        fl_comm_progress_stop();
        fl_comm_enter();
        comm->ending = true;
        say_goodbye();
        comm->setup.net->close(comm->net);
        comm->net = NULL;
        fl_comm_leave();
    }
    fl_comm_aggregate_stop();
    fl_comm_one_sided_stop();
    free(comm->peers);
    free(comm->requests);
    free(comm->proc_of);
    free(comm->aligned);
    free(comm->pulse.pinged);
    comm->peers = NULL;
    comm->requests = NULL;
    comm->proc_of = NULL;
    comm->aligned = NULL;
    comm->pulse.pinged = NULL;
}

void fl_comm_register(enum fl_comm_handler_id id, fl_comm_handler *run, void *context) {
    fl_comm_state.handlers[id].run = run;
    fl_comm_state.handlers[id].context = context;
}

void fl_comm_register_mover(enum fl_comm_handler_id id, fl_comm_handler *run, void *context) {
    fl_comm_register(id, run, context);
    fl_comm_state.handlers[id].only_moves = true;
}

bool fl_comm_settled(struct fl_comm_traffic *traffic) {
    const struct fl_comm_state *comm = &fl_comm_state;
    fl_comm_enter();
    *traffic = comm->traffic;
    bool settled = !fl_comm_has_batches() && !comm->deferred && !comm->own_first &&
                   comm->n_ended == 0 && !fl_comm_one_sided_any();
    fl_comm_leave();
    return settled;
}

size_t fl_comm_payload_most(void) {
    return fl_comm_state.payload_most;
}

void fl_comm_send(unsigned to, struct fl_comm_message *m, const void *payload, size_t bytes,
                  bool in_place) {
    struct fl_comm_state *comm = &fl_comm_state;
    fl_assert(fl_comm_has_entered() && to < comm->procs && to != comm->me);
    m->job_id = comm->setup.job_id;
    m->from = comm->me;
    comm->peers[to].talked = true;
    comm->traffic.sent += counts(m);
    fl_comm_wake_progress();
    int error = errno; /* see fl_comm_serve */
    comm->setup.net->send(comm->net, to, m, FL_COMM_HEAD + m->n_words * sizeof *m->words, payload,
                          bytes, in_place ? &comm->sent : NULL);
    errno = error;
}

unsigned fl_comm_proc_of(uint64_t address) {
    return fl_comm_find_proc(address);
}

void fl_comm_no_thread(uint64_t address) {
    fl_fatal(FL_CODE_BAD_ADDRESS, "address 0x%llx is in no thread's shared memory",
             (unsigned long long)address);
}

struct fl_comm_name fl_comm_name(unsigned proc) {
    struct fl_comm_name name;
    unsigned host = fl_layout_host_of_proc(fl_comm_state.setup.layout, proc);
    const char *host_name =
        fl_comm_state.setup.host_name ? fl_comm_state.setup.host_name(host) : NULL;
    if (host_name) {
        snprintf(name.text, sizeof name.text, "process %u on host %s", proc, host_name);
    } else {
        snprintf(name.text, sizeof name.text, "process %u on host %u", proc, host);
    }
    return name;
}

void fl_comm_bad(const struct fl_comm_message *m, const char *why) {
    fl_fatal(FL_CODE_BAD_MESSAGE, "%s sent a message of kind %u that makes no sense: %s",
             fl_comm_name(m->from).text, m->kind, why);
}

void fl_comm_out_of_bounds(const struct fl_comm_message *m, uint64_t address, uint64_t bytes) {
    fl_fatal(FL_CODE_BAD_ADDRESS,
             "%s accesses %llu bytes at 0x%llx, which are in no thread's shared memory",
             fl_comm_name(m->from).text, (unsigned long long)bytes, (unsigned long long)address);
}
