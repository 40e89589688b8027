// SPDX-License-Identifier: BSD-3-Clause
/*
 * What it costs to inject messages, and the bandwidth that they reach, over their size: figures 2 to
 * 5 of Blagojević, Hargrove, Iancu and Yelick's "Hybrid PGAS Runtime Support for Multicore Nodes"
 * (2010), on <furlong/gas.h>. Every thread of every process sends to the other hosts at once, or on
 * one host to the other half of the processes: each to one partner (P2P), or to a different process
 * with each message (P2M); waiting for each message, or with so many outstanding (NB=32).
 *
 *     gas_messages THREADS [MOST [KILOBYTES]]
 *
 * THREADS in each process; sizes from 8 bytes to MOST; what a thread sends of each size, about.
 */
#include "bench.h"

#include <furlong/gas.h>
#include <pthread.h>

enum { ROUNDS = 3, LEAST = 8, MOST_WINDOW = 1024, LEAST_MESSAGES = 16 };

static unsigned threads = 1;
static size_t most = 64 << 10, budget = 256 << 10;
static pthread_barrier_t of_process;

/* A thread of the job, in its process and among all. */
struct worker {
    unsigned thread;
    unsigned char *data;
    double injection; /* seconds of a call that sends, in the last run */
};

struct pattern {
    const char *name;
    int many;   /* another process with each message */
    int window; /* messages outstanding; 1: each is waited for */
};

/* ---- who sends to whom ---- */

/* Processes that do not send to each other: of a host, or half of the only one. */
static gas_rank_t group(void) {
    return gas_size() / (gas_hosts() > 1 ? gas_hosts() : 2);
}

/* The i-th process of the other groups; the partner first. */
static gas_rank_t far_rank(gas_rank_t i) {
    gas_rank_t own = gas_rank() / group() * group(), far = gas_size() - group();
    return (own + group() + (gas_rank() - own + i) % far) % gas_size();
}

/* Where messages of a worker go, in any segment. */
static unsigned char *slot(gas_rank_t in, gas_rank_t from, unsigned thread) {
    unsigned char *segment = gas_segment_of(in, NULL);
    return segment + ((size_t)from * threads + thread) * most;
}

static void meet(const struct worker *me) {
    pthread_barrier_wait(&of_process);
    if (me->thread == 0) {
        gas_barrier();
    }
    pthread_barrier_wait(&of_process);
}

/* ---- sending ---- */

static long messages_of(size_t bytes) {
    long n = (long)(budget / bytes);
    return n < LEAST_MESSAGES ? LEAST_MESSAGES : n;
}

static unsigned char *target_of(const struct worker *me, const struct pattern *pattern, long i) {
    gas_rank_t which = pattern->many ? (gas_rank_t)i % (gas_size() - group()) : 0;
    return slot(far_rank(which), gas_rank(), me->thread);
}

static void send_all(struct worker *me, const struct pattern *pattern, size_t bytes) {
    gas_event_t events[MOST_WINDOW];
    const long n = messages_of(bytes), window = pattern->window;
    for (long i = 0; window == 1 && i < n; i++) {
        gas_put(target_of(me, pattern, i), me->data, bytes);
    }
    double sending = 0;
    for (long i = 0; window > 1 && i < n; i++) {
        if (i >= window) {
            gas_event_wait(events[i % window]);
        }
        unsigned char *to = target_of(me, pattern, i);
        double begin = bench_now();
        events[i % window] = gas_put_nb(to, me->data, bytes, GAS_EVENT_DEFER);
        sending += bench_now() - begin;
    }
    for (long i = n < window ? 0 : n - window; window > 1 && i < n; i++) {
        gas_event_wait(events[i % window]);
    }
    me->injection = sending / (double)n;
}

/* ---- checks: each size and pattern has bytes of its own ---- */

static unsigned char byte_of(gas_rank_t rank, unsigned thread, unsigned run, size_t i) {
    return (unsigned char)(i * 7 + rank * 31 + thread * 17 + run * 5 + 1);
}

static void fill(const struct worker *me, unsigned run, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        me->data[i] = byte_of(gas_rank(), me->thread, run, i);
    }
}

static void check(const struct worker *me, const struct pattern *pattern, unsigned run,
                  size_t bytes) {
    const gas_rank_t partner = (gas_rank() + gas_size() - group()) % gas_size();
    for (gas_rank_t from = 0; from < gas_size(); from++) {
        int sends = pattern->many ? from / group() != gas_rank() / group() : from == partner;
        const unsigned char *got = slot(gas_rank(), from, me->thread);
        for (size_t i = 0; sends && i < bytes; i++) {
            bench_check(got[i] == byte_of(from, me->thread, run, i),
                        "%s: byte %zu of %zu from process %u", pattern->name, i, bytes, from);
        }
    }
}

/* ---- figures ---- */

static const struct pattern patterns[] = {
    {"p2p", 0, 1},   {"p2p", 0, 32}, {"p2p", 0, 240}, {"p2p", 0, MOST_WINDOW},
    {"p2m", 1, 1},   {"p2m", 1, 32}, {"p2m", 1, MOST_WINDOW},
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

static void report(const struct pattern *pattern, size_t bytes, struct bench_times *injection,
                   struct bench_times *all) {
    const double moved = (double)messages_of(bytes) * (double)bytes * gas_size() * threads;
    char figure[64], series[64];
    snprintf(figure, sizeof figure, "messages-%s%s", pattern->name, gas_hosts() > 1 ? "" : "-here");
    if (pattern->window == 1) {
        snprintf(series, sizeof series, "blocking");
    } else {
        snprintf(series, sizeof series, "NB=%d", pattern->window);
    }
    bench_point_rate(figure, series, (double)bytes, "MB/s", 1e-6 * moved, all);
    if (!pattern->many && pattern->window == MOST_WINDOW) {
        snprintf(figure, sizeof figure, "messages-injection%s", gas_hosts() > 1 ? "" : "-here");
        bench_point(figure, "NB=1024", (double)bytes, "us", 1e6, injection);
    }
}

static void measure(struct worker *me, const struct pattern *pattern, size_t bytes) {
    static unsigned runs;
    struct bench_times injection = {{0}, 0}, all = {{0}, 0};
    for (int round = 0; round < ROUNDS; round++) {
        meet(me);
        unsigned run = runs;
        fill(me, run, bytes);
        meet(me);
        double begin = bench_now();
        send_all(me, pattern, bytes);
        meet(me);
        bench_add(&all, bench_now() - begin);
        bench_add(&injection, me->injection);
        check(me, pattern, run, bytes);
        /* One thread alone stores: another's `runs += 0` could undo the increment. The next
         * meeting orders it before its use. */
        if (me->thread == 0) {
            runs++;
        }
    }
    if (gas_rank() == 0 && me->thread == 0) {
        report(pattern, bytes, &injection, &all);
    }
}

static void *work(void *thread) {
    struct worker me = {.thread = (unsigned)(uintptr_t)thread, .data = malloc(most)};
    bench_check(me.data != NULL, "no memory");
    for (size_t bytes = LEAST; bytes <= most; bytes *= 4) {
        for (int i = 0; i < PATTERNS; i++) {
            measure(&me, &patterns[i], bytes);
        }
    }
    meet(&me);
    free(me.data);
    return NULL;
}

int main(int argc, char **argv) {
    void *segment;
    pthread_t others[64];
    threads = argc > 1 ? (unsigned)atoi(argv[1]) : threads;
    most = argc > 2 ? strtoul(argv[2], NULL, 10) : most;
    budget = argc > 3 ? strtoul(argv[3], NULL, 10) << 10 : budget;
    gas_init(threads > 1 ? GAS_THREADS : 0);
    bench_check(threads >= 1 && threads <= 64 && gas_size() > 1 && group() * 2 <= gas_size() &&
                    gas_size() % group() == 0,
                "%u processes with %u threads on %u hosts have no partners", gas_size(), threads,
                gas_hosts());
    gas_segment_attach(&segment, (size_t)gas_size() * threads * most);
    pthread_barrier_init(&of_process, NULL, threads);
    for (unsigned i = 1; i < threads; i++) {
        pthread_create(&others[i], NULL, work, (void *)(uintptr_t)i);
    }
    work(NULL);
    for (unsigned i = 1; i < threads; i++) {
        pthread_join(others[i], NULL);
    }
    gas_finish();
}
