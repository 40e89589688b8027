/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A transport for tests: a socket pair between each two processes, made before they are forked. It
 * keeps bytes that cannot be sent at once, as a transport must, and receives pieces of any size.
 * Some connections may be slow: messages of two others are then seen in another order.
 */
#ifndef FL_NET_PIPES_FOR_TEST_H
#define FL_NET_PIPES_FOR_TEST_H

#include "core/test.h"
#include "net/net.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>

enum { PIPES_MOST = 64, PIPES_PAYLOAD = 64 << 10 };

/* [a][b]: a's end of its socket with b. */
static int pipes[PIPES_MOST][PIPES_MOST];

/* [from][to]: nanoseconds for which arriving bytes are held; set before processes are forked. */
static uint64_t pipes_slow[PIPES_MOST][PIPES_MOST];

/* Bytes of payloads that this process has sent. */
static uint64_t pipes_sent;

struct pipes_frame {
    uint32_t header_bytes, bytes; /* both follow */
};

struct pipes_message {
    struct pipes_message *next;
    size_t left;       /* of the head, then of the payload */
    size_t head_bytes; /* frame and header */
    const unsigned char *payload;
    size_t bytes, sent;
    uint32_t *done;
    unsigned char head[sizeof(struct pipes_frame) + FL_NET_HEADER_BYTES];
    unsigned char copy[];
};

struct pipes_peer {
    struct pipes_message *first, **last;
    unsigned char *arrived;
    size_t n_arrived;
    uint64_t held_since; /* 0: nothing is held */
    bool lost;
};

/* A one-sided operation that has not ended. */
struct pipes_operation {
    struct fl_net_region *region;
    uint64_t address;
    void *to;
    const void *from; /* of a put */
    size_t bytes;
    void *token;
};

enum { PIPES_OPERATIONS = 4096 };
struct fl_net {
    struct fl_net_setup setup;
    int epoll;
    struct pipes_peer peers[PIPES_MOST];
    struct pipes_operation operations[PIPES_OPERATIONS];
    unsigned n_operations;
};

enum {
    PIPES_FRAME = (int)sizeof(struct pipes_frame),
    PIPES_ROOM = 2 * (PIPES_FRAME + FL_NET_HEADER_BYTES + PIPES_PAYLOAD)
};

static inline void pipes_make(unsigned procs) {
    for (unsigned a = 0; a < procs; a++) {
        for (unsigned b = 0; b < a; b++) {
            int ends[2];
            if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0) {
                perror("socketpair");
                exit(1);
            }
            pipes[a][b] = ends[0];
            pipes[b][a] = ends[1];
        }
    }
}

/* Called in each process, and in the one that made them: ends that others hold keep sockets
 * alive. */
static inline void pipes_close_others(unsigned procs, unsigned me) {
    for (unsigned a = 0; a < procs; a++) {
        for (unsigned b = 0; b < procs; b++) {
            if (a != me && a != b) {
                close(pipes[a][b]);
            }
        }
    }
}

/* In each thread that runs a test's body. */
static inline void pipes_thread_begin(unsigned proc, unsigned thread) {
    (void)proc;
    (void)thread;
}

static inline void pipes_thread_end(void) {
}

/* Before an access to memory. */
static inline void pipes_access(void) {
}

static const char *pipes_open(const struct fl_net_setup *setup, struct fl_net **net_p,
                              struct fl_net_card *card) {
    struct fl_net *net = calloc(1, sizeof *net);
    net->setup = *setup;
    net->epoll = epoll_create1(EPOLL_CLOEXEC);
    for (unsigned p = 0; p < setup->procs; p++) {
        net->peers[p].last = &net->peers[p].first;
        if (p == setup->me) {
            continue;
        }
        net->peers[p].arrived = malloc(PIPES_ROOM);
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = p};
        epoll_ctl(net->epoll, EPOLL_CTL_ADD, pipes[setup->me][p], &event);
    }
    card->bytes = 4;
    memcpy(card->text, &setup->me, 4);
    *net_p = net;
    return NULL;
}

static const char *pipes_connect(struct fl_net *net,
                                 const struct fl_net_card *(*card_of)(void *context,
                                                                      unsigned proc),
                                 void *context) {
    for (unsigned p = 0; p < net->setup.procs; p++) {
        if (memcmp(card_of(context, p)->text, &p, 4) != 0) {
            return "a card of another process";
        }
    }
    return NULL;
}

static void pipes_lose(struct fl_net *net, unsigned p, const char *why) {
    if (!net->peers[p].lost) {
        net->peers[p].lost = true;
        epoll_ctl(net->epoll, EPOLL_CTL_DEL, pipes[net->setup.me][p], NULL);
        net->setup.lost(net->setup.context, p, why);
    }
}

static bool pipes_write(struct fl_net *net, unsigned p, const unsigned char *bytes, size_t n,
                        size_t *sent) {
    while (*sent < n) {
        ssize_t put = send(pipes[net->setup.me][p], bytes + *sent, n - *sent, MSG_NOSIGNAL);
        if (put < 0) {
            if (errno != EAGAIN) {
                pipes_lose(net, p, strerror(errno));
            }
            return false;
        }
        *sent += (size_t)put;
    }
    return true;
}

static unsigned pipes_flush(struct fl_net *net, unsigned p) {
    struct pipes_peer *peer = &net->peers[p];
    unsigned gone = 0;
    struct pipes_message *m;
    while ((m = peer->first)) {
        size_t head_sent = m->sent < m->head_bytes ? m->sent : m->head_bytes;
        size_t sent = m->sent - head_sent;
        bool whole = peer->lost || (pipes_write(net, p, m->head, m->head_bytes, &head_sent) &&
                                    pipes_write(net, p, m->payload, m->bytes, &sent));
        m->sent = head_sent + sent;
        if (!whole) {
            break;
        }
        if (m->done) {
            ++*m->done;
        }
        peer->first = m->next;
        free(m);
        gone++;
    }
    if (!peer->first) {
        peer->last = &peer->first;
    }
    return gone;
}

static void pipes_watch(struct fl_net *net, unsigned p) {
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = p};
    if (net->peers[p].first) {
        event.events |= EPOLLOUT;
    }
    if (!net->peers[p].lost) {
        epoll_ctl(net->epoll, EPOLL_CTL_MOD, pipes[net->setup.me][p], &event);
    }
}

static void pipes_send(struct fl_net *net, unsigned to, const void *header, size_t header_bytes,
                       const void *payload, size_t bytes, uint32_t *done) {
    size_t copied = done ? 0 : bytes;
    pipes_sent += bytes;
    struct pipes_message *m = calloc(1, sizeof *m + copied);
    struct pipes_frame frame = {(uint32_t)header_bytes, (uint32_t)bytes};
    memcpy(m->head, &frame, sizeof frame);
    memcpy(m->head + sizeof frame, header, header_bytes);
    m->head_bytes = sizeof frame + header_bytes;
    m->done = done;
    m->bytes = bytes;
    if (copied) {
        memcpy(m->copy, payload, copied);
        m->payload = m->copy;
    } else {
        m->payload = payload;
    }
    bool first = !net->peers[to].first;
    *net->peers[to].last = m;
    net->peers[to].last = &m->next;
    if (first) {
        pipes_flush(net, to);
        if (net->peers[to].first) {
            pipes_watch(net, to);
        }
    }
}

static unsigned pipes_deliver(struct fl_net *net, unsigned p) {
    struct pipes_peer *peer = &net->peers[p];
    size_t at = 0;
    unsigned count = 0;
    static _Thread_local unsigned char room[PIPES_PAYLOAD + 8];
    unsigned char *payload = room + 5; /* as unaligned as networks may have it */
    for (;;) {
        struct pipes_frame frame;
        if (peer->n_arrived - at < sizeof frame) {
            break;
        }
        memcpy(&frame, peer->arrived + at, sizeof frame);
        size_t all = sizeof frame + frame.header_bytes + frame.bytes;
        if (peer->n_arrived - at < all) {
            break;
        }
        const unsigned char *header = peer->arrived + at + sizeof frame;
        memcpy(payload, header + frame.header_bytes, frame.bytes);
        net->setup.deliver(net->setup.context, header, frame.header_bytes, payload, frame.bytes);
        at += all;
        count++;
    }
    peer->n_arrived -= at;
    memmove(peer->arrived, peer->arrived + at, peer->n_arrived);
    return count;
}

static bool pipes_hold(struct fl_net *net, unsigned p) {
    uint64_t slow = pipes_slow[p][net->setup.me];
    if (slow == 0) {
        return false;
    }
    struct pipes_peer *peer = &net->peers[p];
    uint64_t now = fl_os_now_ns();
    peer->held_since = peer->held_since ? peer->held_since : now;
    bool holds = now - peer->held_since < slow;
    peer->held_since = holds ? peer->held_since : 0;
    return holds;
}

/* ---- one-sided operations ---- */

/* Set before processes are forked: reads or writes memory at an address of process `owner`, as a
 * network card would. Null: there are no such operations. */
static void (*pipes_perform)(unsigned owner, uint64_t address, void *to, const void *from,
                             size_t bytes);
static inline void pipes_perform_by(void (*perform)(unsigned, uint64_t, void *, const void *,
                                                    size_t)) {
    pipes_perform = perform;
}
/* How many operations each poll ends, at most; so that others overtake messages, or wait. */
enum { PIPES_ENDED = 2 };

struct fl_net_region {
    unsigned owner;
    uint64_t address;
    size_t bytes;
};

/* Set before processes are forked: operations count as imitated. */
static bool pipes_imitate;

static bool pipes_is_direct(struct fl_net *net, unsigned peer) {
    errno = EOPNOTSUPP; /* a transport may change it */
    return !pipes_imitate && peer != net->setup.me;
}

static bool pipes_expose(struct fl_net *net, void *memory, size_t bytes,
                         struct fl_net_access *access) {
    struct fl_net_region region = {net->setup.me, (uint64_t)(uintptr_t)memory, bytes};
    memcpy(access->text, &region, sizeof region);
    access->bytes = sizeof region;
    return true;
}

static struct fl_net_region *pipes_open_region(struct fl_net *net, unsigned owner,
                                               const struct fl_net_access *access) {
    (void)net;
    struct fl_net_region *region = malloc(sizeof *region);
    memcpy(region, access->text, sizeof *region);
    if (region->owner != owner) {
        abort();
    }
    region->owner = owner;
    return region;
}

/* An operation takes effect when it ends, the newest one first: a caller that counts on their
 * order is wrong. */
static void pipes_begin(struct fl_net *net, const struct pipes_operation *operation) {
    const struct fl_net_region *region = operation->region;
    if (operation->address < region->address ||
        operation->address + operation->bytes > region->address + region->bytes ||
        net->n_operations == PIPES_OPERATIONS) {
        abort();
    }
    net->operations[net->n_operations++] = *operation;
    errno = EOPNOTSUPP;
}

static void pipes_put(struct fl_net *net, struct fl_net_region *region, uint64_t address,
                      const void *from, size_t bytes, void *token) {
    pipes_begin(net, &(struct pipes_operation){region, address, NULL, from, bytes, token});
}

static void pipes_get(struct fl_net *net, struct fl_net_region *region, uint64_t address, void *to,
                      size_t bytes, void *token) {
    pipes_begin(net, &(struct pipes_operation){region, address, to, NULL, bytes, token});
}

static unsigned pipes_end_operations(struct fl_net *net) {
    unsigned n = 0;
    for (; n < PIPES_ENDED && net->n_operations > 0; n++) {
        struct pipes_operation done = net->operations[--net->n_operations];
        pipes_perform(done.region->owner, done.address, done.to, done.from, done.bytes);
        net->setup.ended(net->setup.context, done.token);
    }
    return n;
}

static const struct fl_net_one_sided pipes_one_sided = {
    .is_direct = pipes_is_direct,
    .expose = pipes_expose,
    .open_region = pipes_open_region,
    .put = pipes_put,
    .get = pipes_get,
};

static unsigned pipes_poll(struct fl_net *net) {
    struct epoll_event events[PIPES_MOST];
    int n = epoll_wait(net->epoll, events, PIPES_MOST, 0);
    unsigned did = pipes_end_operations(net);
    for (int i = 0; i < n; i++) {
        unsigned p = events[i].data.u32;
        struct pipes_peer *peer = &net->peers[p];
        if (events[i].events & EPOLLOUT) {
            did += pipes_flush(net, p);
            pipes_watch(net, p);
        }
        if ((events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) && !pipes_hold(net, p)) {
            ssize_t got = recv(pipes[net->setup.me][p], peer->arrived + peer->n_arrived,
                               PIPES_ROOM - peer->n_arrived, 0);
            if (got > 0) {
                peer->n_arrived += (size_t)got;
                did += pipes_deliver(net, p);
            } else if (got == 0 || errno != EAGAIN) {
                pipes_lose(net, p, got == 0 ? "it has hung up" : strerror(errno));
            }
        }
    }
    return did;
}

static int pipes_descriptor(struct fl_net *net) {
    return net->epoll;
}

/* The descriptor needs no arming: epoll reports bytes that have arrived before, too. */
static bool pipes_arm(struct fl_net *net) {
    return net->n_operations == 0;
}

static void pipes_close(struct fl_net *net) {
    for (unsigned p = 0; p < net->setup.procs; p++) {
        for (struct pipes_message *m = net->peers[p].first, *next; m; m = next) {
            next = m->next;
            free(m);
        }
        free(net->peers[p].arrived);
        if (p == net->setup.me) {
            continue;
        }
        close(pipes[net->setup.me][p]);
    }
    close(net->epoll);
    free(net);
}

static const struct fl_net_ops pipes_ops = {
    .abi = FL_NET_ABI,
    .name = "pipes",
    .payload_most = PIPES_PAYLOAD,
    .open = pipes_open,
    .connect = pipes_connect,
    .send = pipes_send,
    .poll = pipes_poll,
    .descriptor = pipes_descriptor,
    .arm = pipes_arm,
    .close = pipes_close,
    .one_sided = &pipes_one_sided,
};

/* For fl_comm_connect and the like. */
static inline const struct fl_net_card *pipes_card_of(void *context, unsigned proc) {
    static struct fl_net_card cards[PIPES_MOST];
    (void)context;
    cards[proc].bytes = 4;
    memcpy(cards[proc].text, &proc, 4);
    return &cards[proc];
}

#endif
