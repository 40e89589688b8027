// SPDX-License-Identifier: BSD-3-Clause
/*
 * Messages of a transport between two processes on different networks, each on a core of its own:
 * round trips, and streams of 64 KiB messages whose bytes the receiver copies to their place; beside
 * them plain TCP. Argument: the transport.
 */
#include "cable.h"
#include "net/net.h"

enum { ROUNDS = 100, TRIPS = 100, LARGE = 2 << 20, TURNS = 4, WINDOW = 16 };

static struct fl_net_card *cards; /* shared by the two */

/* As much as a transfer needs. */
struct header {
    uint64_t key, where;
    uint32_t kind, cookie;
};
enum { PING, PONG, PUT, PUT_LAST, STOP };

static const struct fl_net_ops *ops;
static struct fl_net *net;
static unsigned long pongs;
static int stopped;
static const char *transport = "ucx";
static unsigned char source[LARGE], target[LARGE];

static void send_message(unsigned to, uint32_t kind, uint64_t where, const void *payload,
                         size_t bytes, uint32_t *done) {
    struct header header = {.key = 1, .where = where, .kind = kind};
    ops->send(net, to, &header, sizeof header, payload, bytes, done);
}

static void deliver(void *context, const void *head, size_t header_bytes, const void *payload,
                    size_t bytes) {
    (void)context, (void)header_bytes;
    const struct header *header = head;
    switch (header->kind) {
    case PING:
        send_message(0, PONG, 0, NULL, 0, NULL);
        break;
    case PONG:
        pongs++;
        break;
    case PUT:
    case PUT_LAST:
        memcpy(target + header->where, payload, bytes);
        if (header->kind == PUT_LAST) {
            send_message(0, PONG, 0, NULL, 0, NULL);
        }
        break;
    default:
        stopped = 1;
    }
}

static void lost(void *context, unsigned peer, const char *why) {
    (void)context;
    fprintf(stderr, "net: process %u is lost: %s\n", peer, why);
    _exit(1);
}

static const struct fl_net_card *card_of(void *context, unsigned proc) {
    (void)context;
    return &cards[proc];
}

static void await_pong(unsigned long before) {
    while (pongs == before) {
        ops->poll(net);
    }
}

/* Seconds for each of n, as the others are. */
static double round_trips(long n) {
    double begin = bench_now();
    for (long i = 0; i < n; i++) {
        unsigned long before = pongs;
        send_message(1, PING, 0, NULL, 0, NULL);
        await_pong(before);
    }
    return (bench_now() - begin) / (double)n;
}

/* Transfers of `bytes`, of which the last is answered. */
static double puts_of(size_t bytes, long n) {
    uint32_t done = 0, sent = 0;
    double begin = bench_now();
    unsigned long before = pongs;
    for (long i = 0; i < n; i++) {
        for (size_t at = 0; at < bytes; at += CABLE_CHUNK) {
            while (sent - done >= WINDOW) {
                ops->poll(net);
            }
            int last = i == n - 1 && at + CABLE_CHUNK >= bytes;
            sent++;
            send_message(1, last ? PUT_LAST : PUT, at, source + at, CABLE_CHUNK, &done);
        }
    }
    await_pong(before);
    return (bench_now() - begin) / (double)n;
}

/* Of process 1: a stream has filled its memory with what process 0 has. */
static void check(void) {
    bench_check(memcmp(source, target, sizeof target) == 0, "net: bytes differ");
}

static void measure(int fd) {
    struct bench_times tcp = {{0}, 0}, trips = {{0}, 0};
    struct bench_times stream = {{0}, 0}, small = {{0}, 0}, large = {{0}, 0};
    for (int round = 0; round < ROUNDS; round++) {
        bench_add(&tcp, cable_round_trips(fd, TRIPS));
        bench_add(&trips, round_trips(TRIPS));
        bench_add(&stream, cable_stream(fd, source, TURNS * LARGE / CABLE_CHUNK));
        bench_add(&small, puts_of(CABLE_CHUNK, TURNS * LARGE / CABLE_CHUNK));
        bench_add(&large, puts_of(LARGE, TURNS) / (LARGE / CABLE_CHUNK));
    }
    bench_time("net-floor-tcp", "us", 1e6, &tcp);
    bench_time_against("net-short", "us", 1e6, &trips, &tcp);
    bench_rate("net-put-64K", "GB/s", CABLE_CHUNK / 1e9, &small, &stream);
    bench_rate("net-put-2M", "GB/s", CABLE_CHUNK / 1e9, &large, &stream);
}

static void work(unsigned me) {
    cable_lay(me);
    int fd = cable_connect(me);
    const char *why;
    ops = fl_net_load(transport, NULL, &why);
    static const unsigned char key[FL_NET_KEY_BYTES] = {42};
    struct fl_net_setup setup = {
        .procs = 2, .key = key, .me = me, .interface = CABLE_INTERFACE, .deliver = deliver, .lost = lost};
    if (!ops || (why = ops->open(&setup, &net, &cards[me]))) {
        cable_give_up(why);
    }
    cable_meet();
    ops->connect(net, card_of, NULL);
    if (me == 0) {
        measure(fd);
        send_message(1, STOP, 0, NULL, 0, NULL);
    }
    while (me == 1 && !stopped) {
        cable_serve(fd);
        ops->poll(net);
    }
    if (me == 1) {
        check();
    }
    ops->close(net);
}

int main(int argc, char **argv) {
    cards =
        mmap(NULL, 2 * sizeof *cards, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (size_t i = 0; i < sizeof source; i++) {
        source[i] = (unsigned char)(i * 7 + i / 251);
    }
    memset(target, 1, sizeof target);
    if (argc > 1) {
        transport = argv[1];
    }
    cable_processes(work);
}
