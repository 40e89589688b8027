// SPDX-License-Identifier: BSD-3-Clause
/*
 * Active messages between two processes of a host, each on a core of its own: round trips by kind
 * and size, and a flood of short requests. Beside the short one a mailbox: one line for each way,
 * which is what two processes can reach that do nothing else.
 */
#include "am/am.h"
#include "bench.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 150
#define LARGEST 65536

enum { PING, PONG, SINK, STOP };

static struct fl_am am;
static unsigned long pongs;
static int stopped;
static unsigned char data[LARGEST];

/* Shared by the two. */
static struct memory {
    struct {
        _Alignas(64) _Atomic unsigned long value;
    } mailbox[2];
    unsigned char longs[2][LARGEST]; /* where long messages to each process go */
} *shared;

static void ping(void *context, const struct fl_am_message *m) {
    (void)context;
    /* Bytes that came into a place of the job are answered likewise. */
    int is_long = m->payload == shared->longs[am.me];
    struct fl_am_send pong = {.handler = PONG,
                              .payload = data,
                              .bytes = m->bytes,
                              .address = is_long ? shared->longs[m->from] : NULL};
    fl_am_reply(m, &pong);
}

static void pong(void *context, const struct fl_am_message *m) {
    (void)context, (void)m;
    pongs++;
}

static void sink(void *context, const struct fl_am_message *m) {
    (void)context, (void)m;
}

static void stop(void *context, const struct fl_am_message *m) {
    (void)context, (void)m;
    stopped = 1;
}

static void pin(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
}

/* Seconds for each of n. */
static double round_trips(uint64_t bytes, int is_long, long n) {
    struct fl_am_send send = {.handler = PING,
                              .payload = data,
                              .bytes = bytes,
                              .address = is_long ? shared->longs[1] : NULL};
    double begin = bench_now();
    for (long i = 0; i < n; i++) {
        unsigned long before = pongs;
        fl_am_request(&am, 1, &send);
        while (pongs == before) {
            fl_am_poll(&am);
        }
    }
    return (bench_now() - begin) / (double)n;
}

static double flood(long n) {
    uint32_t arg = 1;
    struct fl_am_send send = {.handler = SINK, .n_args = 1, .args = &arg};
    double begin = bench_now();
    for (long i = 0; i < n; i++) {
        fl_am_request(&am, 1, &send);
    }
    round_trips(0, 0, 1);
    return (bench_now() - begin) / (double)n;
}

/* Acquire pairs with the release below: what would be beside the number is seen with it. */
static void await(int me, unsigned long number) {
    for (long looks = 1;
         atomic_load_explicit(&shared->mailbox[me].value, memory_order_acquire) != number;
         looks++) {
        if (looks % 20000 == 0) {
            sched_yield();
        }
    }
}

static void deliver(int to, unsigned long number) {
    atomic_store_explicit(&shared->mailbox[to].value, number, memory_order_release);
}

static double mailbox_round_trips(long n) {
    static unsigned long number;
    double begin = bench_now();
    for (long i = 0; i < n; i++) {
        deliver(1, ++number);
        await(0, number);
    }
    return (bench_now() - begin) / (double)n;
}

static void serve(long mailbox_rounds) {
    for (long i = 1; i <= mailbox_rounds; i++) {
        await(1, (unsigned long)i);
        deliver(0, (unsigned long)i);
    }
    for (long idle = 1; !stopped; idle++) {
        if (!fl_am_poll(&am) && idle % 20000 == 0) {
            sched_yield();
        }
    }
    _exit(0);
}

static void *map(size_t bytes) {
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

int main(void) {
    static const struct {
        const char *name;
        uint64_t bytes;
        int is_long;
        long n;
    } cases[] = {{"am-short", 0, 0, 1000},        {"am-medium-512", 512, 0, 1000},
                 {"am-medium-4K", 4096, 0, 500},  {"am-medium-16K", 16384, 0, 200},
                 {"am-medium-64K", 65536, 0, 60}, {"am-long-64K", 65536, 1, 60}};
    enum { MAILBOX = 1000 };
    void *inboxes = map(fl_am_bytes(2));
    shared = map(sizeof *shared);
    memset(data, 1, sizeof data);
    unsigned me = fork() == 0;
    pin((int)me);
    fl_am_attach(&am, inboxes, 2, me);
    fl_am_register(&am, PING, ping, NULL);
    fl_am_register(&am, PONG, pong, NULL);
    fl_am_register(&am, SINK, sink, NULL);
    fl_am_register(&am, STOP, stop, NULL);
    if (me == 1) {
        serve((long)ROUNDS * MAILBOX);
    }
    struct bench_times mailbox = {{0}, 0};
    for (int round = 0; round < ROUNDS; round++) {
        bench_add(&mailbox, mailbox_round_trips(MAILBOX));
    }
    bench_time("am-floor-mailbox", "us", 1e6, &mailbox);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct bench_times times = {{0}, 0};
        for (int round = 0; round < ROUNDS; round++) {
            bench_add(&times, round_trips(cases[c].bytes, cases[c].is_long, cases[c].n));
        }
        bench_time(cases[c].name, "us", 1e6, &times);
    }
    struct bench_times floods = {{0}, 0};
    for (int round = 0; round < ROUNDS; round++) {
        bench_add(&floods, flood(5000));
    }
    bench_time("am-flood", "ns", 1e9, &floods);
    struct fl_am_send send = {.handler = STOP};
    fl_am_request(&am, 1, &send);
    wait(NULL);
}
