/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A transport for tests, in a simulation (core/scheduler_for_test.h): messages wait in memory that
 * all processes share until the simulated time at which they have come. Between two processes they
 * keep their order, as with every transport; those of different pairs overtake each other. In place
 * of comm's own thread, one that takes turns as all do serves each process.
 */
#ifndef FL_COMM_SIMULATED_FOR_TEST_H
#define FL_COMM_SIMULATED_FOR_TEST_H

#include "comm/inside.h"
#include "core/scheduler_for_test.h"

struct sim_message {
    struct sim_message *next;
    uint64_t due_ns;
    size_t header_bytes, bytes;
    unsigned char size_class;
    _Alignas(uint64_t) unsigned char text[]; /* header, padded, and payload */
};

enum {
    SIM_PAYLOAD = 64 << 10,
    SIM_PAYLOAD_LEAST = 17 << 10, /* so that long answers come in parts */
    SIM_CLASSES = 18,             /* sizes of memory for messages: powers of two, from 1 on */
    SIM_LATE = 64                 /* times that a late message takes as long as others, at most */
};
#define SIM_MEMORY (4ull << 30) /* as much as is used exists */

/* Behind struct sim, from which its memory goes on. */
struct sim_net {
    struct sim_way {
        struct sim_message *first, **last;
        uint64_t last_due_ns;
        bool slow;
    } ways[SIM_HOSTS][SIM_HOSTS]; /* [from][to] */
    struct sim_message *free[SIM_CLASSES];
    size_t used;
    _Alignas(FL_CACHE_LINE) unsigned char memory[];
};

static struct sim_net *sim_net;

/* What a message is called; set by the test. */
static const char *(*sim_name_of)(const struct fl_comm_message *m);

struct fl_net {
    struct fl_net_setup setup;
};

static void simulated_stop(void) {
    munmap(sim, SIM_MEMORY);
    sim = NULL;
}

/* ---- messages ---- */

static struct sim_message *sim_message_new(size_t bytes) {
    unsigned char size_class = 8;
    while (((size_t)1 << size_class) < sizeof(struct sim_message) + bytes) {
        size_class++;
    }
    struct sim_message *m = sim_net->free[size_class];
    if (m) {
        sim_net->free[size_class] = m->next;
    } else {
        m = (struct sim_message *)(void *)(sim_net->memory + sim_net->used);
        sim_net->used += (size_t)1 << size_class;
        if (sizeof *sim + sizeof *sim_net + sim_net->used > SIM_MEMORY) {
            sim_fail("more messages under way than there is room for");
        }
    }
    m->size_class = size_class;
    m->next = NULL;
    return m;
}

static void sim_message_free(struct sim_message *m) {
    m->next = sim_net->free[m->size_class];
    sim_net->free[m->size_class] = m;
}

static void sim_note_message(const char *format, const unsigned char *header, uint64_t peer,
                             const unsigned char *payload, size_t bytes) {
    const struct fl_comm_message *m = (const void *)header;
    sim_note(format, sim_name_of(m), m->told[0], peer, bytes);
    for (size_t i = 0; i < bytes; i++) {
        sim->hash = (sim->hash ^ payload[i]) * 0x100000001b3u;
    }
}

static uint64_t sim_latency_ns(const struct sim_way *way) {
    bool late = way->slow || sim_once_in(sim->weather.late_every);
    uint64_t most = (uint64_t)sim->weather.latency_ns * (late ? 1 + sim_below(SIM_LATE) : 1);
    return most / 2 + sim_below(most);
}

static void simulated_send(struct fl_net *net, unsigned to, const void *header, size_t header_bytes,
                           const void *payload, size_t bytes, uint32_t *done) {
    if (done) {
        ++*done;
    }
    if (!sim_me) {
        return; /* a goodbye, when all threads have ended */
    }
    struct sim_way *way = &sim_net->ways[net->setup.me][to];
    size_t padded = (header_bytes + 7) / 8 * 8;
    struct sim_message *m = sim_message_new(padded + bytes);
    m->header_bytes = header_bytes;
    m->bytes = bytes;
    memcpy(m->text, header, header_bytes);
    if (bytes > 0) {
        memcpy(m->text + padded, payload, bytes);
    }
    m->due_ns = sim->now_ns + sim_latency_ns(way);
    m->due_ns = m->due_ns > way->last_due_ns ? m->due_ns : way->last_due_ns;
    way->last_due_ns = m->due_ns;
    *way->last = m;
    way->last = &m->next;
    uint64_t due_ns = way->first->due_ns;
    sim->due_ns[to] = due_ns < sim->due_ns[to] ? due_ns : sim->due_ns[to];
    sim_note_message("sends %s %llx to host %llu, %llu bytes", m->text, to, m->text + padded,
                     bytes);
    sim_act();
    sim_step();
}

/* Takes the first message of a way, any one of those on which one has come. */
static struct sim_message *sim_take_message(unsigned me, unsigned *from_p) {
    unsigned n = 0;
    *from_p = 0;
    for (unsigned from = 0; from < sim->hosts; from++) {
        const struct sim_message *m = sim_net->ways[from][me].first;
        if (m && m->due_ns <= sim->now_ns && sim_below(++n) == 0) {
            *from_p = from;
        }
    }
    if (n == 0) {
        return NULL;
    }
    struct sim_way *way = &sim_net->ways[*from_p][me];
    struct sim_message *m = way->first;
    way->first = m->next;
    way->last = m->next ? way->last : &way->first;
    uint64_t due_ns = UINT64_MAX;
    for (unsigned from = 0; from < sim->hosts; from++) {
        const struct sim_message *other = sim_net->ways[from][me].first;
        due_ns = other && other->due_ns < due_ns ? other->due_ns : due_ns;
    }
    sim->due_ns[me] = due_ns;
    return m;
}

static void sim_deliver(struct fl_net *net, unsigned from, const struct sim_message *m) {
    static unsigned char room[SIM_PAYLOAD + 8];
    unsigned char *payload = room + 5; /* as unaligned as networks may have it */
    size_t padded = (m->header_bytes + 7) / 8 * 8;
    memcpy(payload, m->text + padded, m->bytes);
    sim_note_message("gets %s %llx from host %llu, %llu bytes", m->text, from, payload, m->bytes);
    sim_act();
    net->setup.deliver(net->setup.context, m->text, m->header_bytes, payload, m->bytes);
}

static unsigned simulated_poll(struct fl_net *net) {
    unsigned done = 0, from;
    struct sim_message *m;
    while (sim_me && (done == 0 || sim_once_in(2)) &&
           (m = sim_take_message(net->setup.me, &from))) {
        sim_deliver(net, from, m);
        sim_message_free(m);
        done++;
    }
    if (sim_me && done == 0) {
        sim_me->yields_after = &fl_comm_state.mutex;
    }
    return done;
}

/* ---- the transport ---- */

static const char *simulated_open(const struct fl_net_setup *setup, struct fl_net **net_p,
                                  struct fl_net_card *card) {
    *net_p = calloc(1, sizeof **net_p);
    (*net_p)->setup = *setup;
    card->bytes = 4;
    memcpy(card->text, &setup->me, 4);
    return NULL;
}

static const struct fl_net_card *simulated_card_of(void *context, unsigned proc) {
    (void)context;
    (void)proc;
    return NULL;
}

static const char *simulated_connect(struct fl_net *net,
                                     const struct fl_net_card *(*card_of)(void *context,
                                                                          unsigned proc),
                                     void *context) {
    (void)net;
    (void)card_of;
    (void)context;
    return NULL;
}

static void simulated_close(struct fl_net *net) {
    free(net);
}

static struct fl_net_ops simulated_ops = {
    .abi = FL_NET_ABI,
    .name = "simulated",
    .payload_most = SIM_PAYLOAD,
    .open = simulated_open,
    .connect = simulated_connect,
    .send = simulated_send,
    .poll = simulated_poll,
    .close = simulated_close,
};

/* Before processes are forked. See sim_start. */
static void simulated_start(uint64_t seed, uint32_t hosts, uint32_t per_host) {
    sim_start(seed, hosts, per_host, SIM_MEMORY);
    sim_net = (struct sim_net *)(void *)(sim + 1);
    simulated_ops.payload_most = sim_once_in(3) ? SIM_PAYLOAD_LEAST : SIM_PAYLOAD;
    for (unsigned from = 0; from < hosts; from++) {
        for (unsigned to = 0; to < hosts; to++) {
            sim_net->ways[from][to].last = &sim_net->ways[from][to].first;
            sim_net->ways[from][to].slow = sim_once_in(sim->weather.slow_every);
        }
    }
}

/* ---- the thread that serves ---- */

static pthread_t sim_server;

static void *sim_serve(void *unused) {
    sim_thread_begin(fl_comm_state.me, 0);
    while (sim->computing > 0) {
        if (fl_comm_poll() == 0) {
            sim_yield();
        }
    }
    sim_thread_end();
    return unused;
}

static void sim_no_rest(void) {
}

SIM_WRAP(void, fl_comm_progress_start, void) {
    if (!sim) {
        __real_fl_comm_progress_start();
        return;
    }
    fl_wait_service.rest = sim_no_rest;
    fl_wait_service.poll = fl_comm_poll;
    if (pthread_create(&sim_server, NULL, sim_serve, NULL) != 0) {
        sim_fail("no thread that serves");
    }
}

SIM_WRAP(void, fl_comm_progress_stop, void) {
    if (!sim) {
        __real_fl_comm_progress_stop();
        return;
    }
    pthread_join(sim_server, NULL);
    fl_wait_service.rest = NULL;
    fl_wait_service.poll = NULL;
}

/* ---- for world_for_test.h ---- */

/* Nothing is open that another process would hold. */
static inline void simulated_make(unsigned procs) {
    (void)procs;
}

static inline void simulated_close_others(unsigned procs, unsigned me) {
    (void)procs;
    (void)me;
}

/* There are no one-sided operations. */
static inline void simulated_perform_by(void (*perform)(unsigned, uint64_t, void *, const void *,
                                                        size_t)) {
    (void)perform;
}

static inline void simulated_thread_begin(unsigned proc, unsigned thread) {
    sim_thread_begin(proc, 1 + thread);
}

static inline void simulated_thread_end(void) {
    sim_thread_end();
}

/* Not each time: there are many accesses, and most make no difference. */
static inline void simulated_access(void) {
    enum { EVERY = 16 };
    if (sim_me && sim_once_in(EVERY)) {
        sim_step();
    }
}

#endif
