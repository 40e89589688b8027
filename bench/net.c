// SPDX-License-Identifier: BSD-3-Clause
/*
 * Messages of a transport between two processes, each on a core of its own and in a network of its
 * own, with a cable (veth) between these: round trips, and streams of 64 KiB messages whose bytes
 * the receiver copies to their place. Beside them plain TCP, whose two ends spin and do nothing
 * else: what a transport over TCP can reach. Argument: the transport.
 */
#include "bench.h"
#include "net/net.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 100, TRIPS = 300, CHUNK = 64 << 10, LARGE = 2 << 20, TURNS = 4, WINDOW = 16 };
enum mode { NET, ECHO, DRAIN };

/* Shared by the two. */
static struct memory {
    _Atomic int ready, over;
    _Atomic int mode;
    _Atomic uint64_t bytes; /* to drain before one byte is sent back */
    struct fl_net_card cards[2];
    struct sockaddr_in address;
} *shared;

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
    return &shared->cards[proc];
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
        for (size_t at = 0; at < bytes; at += CHUNK) {
            while (sent - done >= WINDOW) {
                ops->poll(net);
            }
            int last = i == n - 1 && at + CHUNK >= bytes;
            sent++;
            send_message(1, last ? PUT_LAST : PUT, at, source + at, CHUNK, &done);
        }
    }
    await_pong(before);
    return (bench_now() - begin) / (double)n;
}

/* ---- plain TCP ---- */

static void take(int fd, void *bytes, size_t n) {
    for (size_t got = 0; got < n;) {
        ssize_t more = recv(fd, (char *)bytes + got, n - got, MSG_DONTWAIT);
        got += more > 0 ? (size_t)more : 0;
    }
}

static void give(int fd, const void *bytes, size_t n) {
    for (size_t given = 0; given < n;) {
        ssize_t more = send(fd, (const char *)bytes + given, n - given, MSG_NOSIGNAL);
        if (more <= 0) {
            _exit(1);
        }
        given += (size_t)more;
    }
}

static double tcp_round_trips(int fd, long n) {
    unsigned char bytes[8] = {0};
    shared->mode = ECHO;
    give(fd, bytes, sizeof bytes);
    take(fd, bytes, sizeof bytes);
    double begin = bench_now();
    for (long i = 0; i < n; i++) {
        give(fd, bytes, sizeof bytes);
        take(fd, bytes, sizeof bytes);
    }
    double time = bench_now() - begin;
    shared->mode = NET;
    return time / (double)n;
}

static double tcp_stream(int fd, size_t bytes, long n) {
    unsigned char answer;
    shared->bytes = bytes * (size_t)n;
    shared->mode = DRAIN;
    double begin = bench_now();
    for (long i = 0; i < n; i++) {
        for (size_t at = 0; at < bytes; at += CHUNK) {
            give(fd, source + at, CHUNK);
        }
    }
    take(fd, &answer, 1);
    double time = bench_now() - begin;
    shared->mode = NET;
    return time / (double)n;
}

/* Until the other one stops it; it is in one mode at a time. */
static void serve(int fd) {
    static unsigned char bytes[CHUNK];
    while (!stopped) {
        if (shared->mode == NET) {
            ops->poll(net);
        } else if (shared->mode == ECHO) {
            if (recv(fd, bytes, 8, MSG_DONTWAIT) == 8) {
                give(fd, bytes, 8);
            }
        } else {
            uint64_t left = shared->bytes;
            while (left) {
                ssize_t got = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
                left -= got > 0 ? (uint64_t)got : 0;
            }
            shared->mode = NET;
            give(fd, bytes, 1);
        }
    }
}

/* ---- two networks, and a process in each ---- */

static void meet(void) {
    static int meetings;
    shared->ready++;
    while (shared->ready < 2 * (meetings + 1)) {
        if (shared->over) {
            _exit(0);
        }
        sched_yield();
    }
    meetings++;
}

/* For both, so that neither waits for the other. */
static _Noreturn void give_up(const char *why) {
    fprintf(stderr, "net: skipped: %s\n", why);
    shared->over = 1;
    _exit(0);
}

static void run(const char *format, long number) {
    char command[256];
    snprintf(command, sizeof command, format, number);
    if (system(command) != 0) {
        give_up(command);
    }
}

/* They go when the processes go. */
static void lay_cable(unsigned me, const pid_t *pids) {
    /* UCX looks up interfaces in /sys, which shows those of the network that mounted it. */
    if (unshare(CLONE_NEWNET | CLONE_NEWNS) != 0 ||
        mount("", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 || umount2("/sys", MNT_DETACH) != 0 ||
        mount("sysfs", "/sys", "sysfs", 0, NULL) != 0) {
        give_up("no network of its own is allowed here");
    }
    meet();
    if (me == 0) {
        run("ip link add fl type veth peer name fl netns %ld", pids[1]);
    }
    meet();
    run("ip addr add 10.77.0.%ld/24 dev fl && ip link set lo up && ip link set fl up", me + 1);
    run("until grep -q up /sys/class/net/fl/operstate; do sleep 0.0%ld; done", 1);
    meet();
}

static int connect_tcp(unsigned me) {
    int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    struct sockaddr_in *address = &shared->address;
    if (me == 1) {
        int listener = fd;
        socklen_t size = sizeof *address;
        *address = (struct sockaddr_in){.sin_family = AF_INET};
        address->sin_addr.s_addr = inet_addr("10.77.0.2");
        if (bind(listener, (struct sockaddr *)address, size) || listen(listener, 1) ||
            getsockname(listener, (struct sockaddr *)address, &size)) {
            perror("net");
            _exit(1);
        }
        meet();
        fd = accept(listener, NULL, NULL);
    } else {
        meet();
        if (connect(fd, (struct sockaddr *)address, sizeof *address)) {
            perror("net");
            _exit(1);
        }
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

static void measure(int fd) {
    struct bench_times tcp = {{0}, 0}, trips = {{0}, 0};
    struct bench_times stream = {{0}, 0}, small = {{0}, 0}, large = {{0}, 0};
    for (int round = 0; round < ROUNDS; round++) {
        bench_add(&tcp, tcp_round_trips(fd, TRIPS));
        bench_add(&trips, round_trips(TRIPS));
        bench_add(&stream, tcp_stream(fd, LARGE, TURNS) / (LARGE / CHUNK));
        bench_add(&small, puts_of(CHUNK, TURNS * LARGE / CHUNK));
        bench_add(&large, puts_of(LARGE, TURNS) / (LARGE / CHUNK));
    }
    bench_time("net-floor-tcp", "us", 1e6, &tcp);
    bench_time("net-short", "us", 1e6, &trips);
    bench_rate("net-put-64K", "GB/s", CHUNK / 1e9, &small, &stream);
    bench_rate("net-put-2M", "GB/s", CHUNK / 1e9, &large, &stream);
}

static void work(unsigned me, const char *name, const pid_t *pids) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(me, &set);
    sched_setaffinity(0, sizeof set, &set);
    lay_cable(me, pids);
    const char *why;
    ops = fl_net_load(name, NULL, &why);
    struct fl_net_setup setup = {
        .procs = 2, .me = me, .interface = "fl", .deliver = deliver, .lost = lost};
    if (!ops || (why = ops->open(&setup, &net, &shared->cards[me]))) {
        give_up(why);
    }
    meet();
    int fd = connect_tcp(me);
    ops->connect(net, card_of, NULL);
    if (me == 1) {
        serve(fd);
    } else {
        measure(fd);
        send_message(1, STOP, 0, NULL, 0, NULL);
    }
    ops->close(net);
    _exit(0);
}

int main(int argc, char **argv) {
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t *pids = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    memset(source, 1, sizeof source);
    memset(target, 1, sizeof target);
    for (unsigned me = 0; me < 2; me++) {
        pid_t pid = fork();
        if (pid == 0) {
            pids[me] = getpid();
            alarm(120);
            work(me, argc > 1 ? argv[1] : "ucx", pids);
        }
    }
    wait(NULL);
    wait(NULL);
}
