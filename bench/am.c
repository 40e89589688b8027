// SPDX-License-Identifier: BSD-3-Clause
/*
 * Active messages between two processes of a host, each on a core of its own: round trips by kind
 * and size, each message answered with its own bytes, and a flood of short requests. Beside them a
 * mailbox, a line for each way and perhaps bytes: what two processes can reach that do nothing else.
 * The short round trip is taken with one thread and with several in a process, within a process, and
 * by two pairs of processes on the two cores.
 */
#include "am/am.h"
#include "bench.h"
#include "children.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>

#define ROUNDS 100
#define LARGEST 65536
#define PAIR 2
#define CROWD 4

enum { PING, PONG, SINK };

static struct fl_am am;
static unsigned long pings, pongs, sinks;
static uint64_t checked_bytes;
static int checks; /* that so many bytes come back as they were sent */
static unsigned char data[LARGEST];

/* Shared by the processes. */
static struct memory {
    struct {
        _Alignas(64) _Atomic unsigned long number;
        _Alignas(64) unsigned char bytes[LARGEST];
    } mailbox[PAIR];
    unsigned char longs[PAIR][LARGEST]; /* where long messages to each process go */
} *shared;

/* Answers a ping with the bytes that came; those of a long message in the same way. */
static void deliver_message(struct fl_am *to, struct fl_am_head head, const uint32_t *args,
                            unsigned n_args, void *payload, uint64_t bytes) {
    int is_long = payload == shared->longs[am.me];
    struct fl_am_send pong = {.handler = PONG,
                              .payload = payload,
                              .bytes = bytes,
                              .is_long = is_long,
                              .address = is_long ? shared->longs[head.from] : NULL};
    (void)args, (void)n_args;
    if (head.handler == PING) {
        pings++;
        fl_am_send_to(to, head.from, FL_AM_REPLY, pong);
    } else if (head.handler == PONG) {
        if (checks) {
            bench_check(bytes == checked_bytes && memcmp(payload, data, checked_bytes) == 0,
                        "am: %lu bytes come back, and not those sent", (unsigned long)bytes);
        }
        pongs++;
    } else {
        sinks++;
    }
}

/* Polls until the counter is there. Who is not alone on a core gives it away when nothing comes. */
static void until(const unsigned long *counter, unsigned long value) {
    long patience = am.procs > PAIR ? 1 : 20000;
    for (long idle = 0; *counter < value;) {
        if (fl_am_poll(&am) == 0 && ++idle == patience) {
            idle = 0;
            sched_yield();
        }
    }
}

static void round_trips(unsigned to, uint64_t bytes, int is_long, long n) {
    struct fl_am_send send = {.handler = PING,
                              .payload = data,
                              .bytes = bytes,
                              .is_long = is_long,
                              .address = is_long ? shared->longs[to] : NULL};
    for (long i = 0; i < n; i++) {
        unsigned long before = pongs;
        fl_am_send_to(&am, to, FL_AM_REQUEST, send);
        until(&pongs, before + 1);
    }
}

static void flood(long n) {
    uint32_t arg = 1;
    struct fl_am_send send = {.handler = SINK, .n_args = 1, .args = &arg};
    for (long i = 0; i < n; i++) {
        fl_am_send_to(&am, 1, FL_AM_REQUEST, send);
    }
    round_trips(1, 0, 0, 1);
}

/* Acquire pairs with the release below: the bytes are seen with the number. */
static void await(unsigned me, unsigned long number) {
    for (long looks = 1;
         atomic_load_explicit(&shared->mailbox[me].number, memory_order_acquire) != number;
         looks++) {
        fl_os_relax();
        if (looks % 20000 == 0) {
            sched_yield();
        }
    }
}

static void deliver(unsigned to, unsigned long number, const void *from, uint64_t bytes) {
    memcpy(shared->mailbox[to].bytes, from, bytes);
    atomic_store_explicit(&shared->mailbox[to].number, number, memory_order_release);
}

static void mailbox_round_trips(unsigned me, uint64_t bytes, long n) {
    static unsigned long number;
    for (long i = 0; i < n; i++) {
        number++;
        if (me == 0) {
            deliver(1, number, data, bytes);
            await(0, number);
        } else {
            await(1, number);
            deliver(0, number, shared->mailbox[1].bytes, bytes);
        }
    }
}

/* One case, its mailbox in turns with it. */
static void measure(const char *name, uint64_t bytes, int is_long, long n) {
    struct bench_times times = {{0}, 0}, mailbox = {{0}, 0};
    for (int round = 0; round < ROUNDS; round++) {
        double begin = bench_now();
        mailbox_round_trips(am.me, bytes, n);
        double middle = bench_now();
        if (am.me == 0) {
            round_trips(1, bytes, is_long, n);
        } else {
            until(&pings, pings + (unsigned long)n);
        }
        bench_add(&mailbox, (middle - begin) / (double)n);
        bench_add(&times, (bench_now() - middle) / (double)n);
    }
    checks = 1;
    checked_bytes = bytes;
    for (uint64_t i = 0; am.me == 0 && i < bytes; i++) {
        data[i] = (unsigned char)(i * 7 + bytes);
    }
    if (am.me == 0) {
        round_trips(1, bytes, is_long, 1);
    } else {
        until(&pings, pings + 1);
    }
    checks = 0;
    if (am.me == 0) {
        bench_time_against(name, "us", 1e6, &times, &mailbox);
    }
}

static void measure_flood(void) {
    enum { N = 5000 };
    struct bench_times times = {{0}, 0};
    for (int round = 0; round < ROUNDS; round++) {
        double begin = bench_now();
        if (am.me == 0) {
            flood(N);
        } else {
            until(&pings, pings + 1);
        }
        bench_add(&times, (bench_now() - begin) / N);
    }
    bench_check(am.me == 0 || sinks == (unsigned long)N * ROUNDS, "am-flood: %lu messages", sinks);
    if (am.me == 0) {
        bench_time("am-flood", "ns", 1e9, &times);
    }
}

/* Of processes 0 and 1; the others do the same without telling. */
static void measure_neighbours(const char *name, const char *unit, double scale, unsigned to,
                               long n) {
    struct bench_times times = {{0}, 0};
    for (int round = 0; round < ROUNDS; round++) {
        double begin = bench_now();
        if (to >= am.me) {
            round_trips(to, 0, 0, n);
        } else {
            until(&pings, pings + (unsigned long)n);
        }
        bench_add(&times, (bench_now() - begin) / (double)n);
    }
    if (am.me == 0) {
        bench_time(name, unit, scale, &times);
    }
}

static void *map(size_t bytes) {
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

/* In each of `procs` processes, which take the two cores in turns. */
static void in_processes(unsigned procs, void (*body)(void)) {
    void *inboxes = map(fl_am_bytes(procs));
    unsigned me = 0;
    for (unsigned child = 1; child < procs && me == 0; child++) {
        me = children_fork() ? child : 0;
    }
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(me % 2, &set);
    sched_setaffinity(0, sizeof set, &set);
    fl_am_attach(&am, inboxes, procs, me, deliver_message);
    body();
    if (me > 0) {
        _exit(0);
    }
    children_wait();
}

static void pair(void) {
    static const struct {
        const char *name;
        uint64_t bytes;
        int is_long;
        long n;
    } cases[] = {{"am-medium-8", 8, 0, 1000},     {"am-medium-512", 512, 0, 1000},
                 {"am-medium-4K", 4096, 0, 500},  {"am-medium-16K", 16384, 0, 200},
                 {"am-medium-64K", 65536, 0, 60}, {"am-long-64K", 65536, 1, 60}};
    measure("am-short-threads", 0, 0, 1000);
    am.one_thread = 1;
    measure("am-short", 0, 0, 1000);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        measure(cases[c].name, cases[c].bytes, cases[c].is_long, cases[c].n);
    }
    measure_flood();
    if (am.me == 0) {
        measure_neighbours("am-in-place", "ns", 1e9, 0, 10000);
    }
}

static void crowd(void) {
    am.one_thread = 1;
    measure_neighbours("am-short-crowd", "us", 1e6, am.me ^ 1, 200);
}

int main(void) {
    shared = map(sizeof *shared);
    memset(data, 1, sizeof data);
    in_processes(PAIR, pair);
    in_processes(CROWD, crowd);
}
