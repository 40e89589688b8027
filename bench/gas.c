// SPDX-License-Identifier: BSD-3-Clause
/*
 * <furlong/gas.h> between two ranks, of one host or of two: round trips of messages, each answered
 * with its own bytes, transfers, atomic operations and barriers. Names say how many hosts there are.
 */
#include "bench.h"

#include <furlong/gas.h>

enum { ROUNDS = 100, LARGE = 64 << 10, MANY = 1000, PING = 1, PONG, SHORT_PING, SHORT_PONG };

static unsigned char data[LARGE];
static unsigned char *there; /* the other rank's segment; all of LARGE bytes */
static gas_ad_t counter;
static unsigned long pongs, expected;
static size_t bytes; /* of the message under way */
static int checks;   /* what comes back */

static void ping(gas_token_t token, const uint32_t *args, unsigned n_args, void *payload,
                 size_t n_bytes) {
    if (n_args) { /* a long one */
        gas_reply_long(token, PONG, payload, n_bytes, there, args, n_args);
    } else {
        gas_reply_medium(token, PONG, payload, n_bytes, GAS_NO_ARGS);
    }
}

static void pong(gas_token_t token, const uint32_t *args, unsigned n_args, void *payload,
                 size_t n_bytes) {
    (void)token, (void)args, (void)n_args;
    if (checks) {
        bench_check(n_bytes == bytes && memcmp(payload, data, bytes) == 0,
                    "gas: %zu bytes come back, and not those sent", n_bytes);
    }
    __atomic_store_n(&pongs, pongs + 1, __ATOMIC_RELEASE);
}

static void short_ping(gas_token_t token, const uint32_t *args, unsigned n_args, void *payload,
                       size_t n_bytes) {
    (void)payload, (void)n_bytes;
    gas_reply_short(token, SHORT_PONG, args, n_args);
}

static void short_pong(gas_token_t token, const uint32_t *args, unsigned n_args, void *payload,
                       size_t n_bytes) {
    (void)token, (void)payload, (void)n_bytes;
    bench_check(n_args == 1 && args[0] == (uint32_t)expected, "gas-short: another argument");
    __atomic_store_n(&pongs, pongs + 1, __ATOMIC_RELEASE);
}

static void short_trip(void) {
    expected++;
    gas_request_short(1, SHORT_PING, 0, GAS_ARGS((uint32_t)expected));
    GAS_BLOCK_UNTIL(__atomic_load_n(&pongs, __ATOMIC_ACQUIRE) == expected);
}

static void medium_trip(void) {
    gas_request_medium(1, PING, data, bytes, 0, GAS_NO_ARGS);
    expected++;
    GAS_BLOCK_UNTIL(__atomic_load_n(&pongs, __ATOMIC_ACQUIRE) == expected);
}

static void long_trip(void) {
    gas_request_long(1, PING, data, LARGE, there, GAS_EVENT_DEFER, 0, GAS_ARGS(1));
    expected++;
    GAS_BLOCK_UNTIL(__atomic_load_n(&pongs, __ATOMIC_ACQUIRE) == expected);
    gas_nbi_wait();
}

static void put(void) {
    unsigned char *to = there;
    BENCH_FORGET(to);
    gas_put(to, data, 8);
}

static void get(void) {
    const unsigned char *from = there;
    BENCH_FORGET(from);
    gas_get(data, from, 8);
}

static void put_large(void) {
    gas_put(there, data, LARGE);
}

static void add(void) {
    const uint64_t one = 1;
    uint64_t before;
    gas_ad_op(&counter, &before, there, GAS_OP_FADD, &one, NULL);
}

/* Without an event each; the time of one is told. */
static void put_many(void) {
    for (int i = 0; i < MANY; i++) {
        unsigned char *to = there + 8 * (i % 1024);
        BENCH_FORGET(to);
        gas_put_nbi(to, data, 8);
    }
    gas_nbi_wait();
}

static void add_many(void) {
    const uint64_t one = 1;
    for (int i = 0; i < MANY; i++) {
        gas_ad_op_nbi(&counter, NULL, there + 8 * (i % 1024), GAS_OP_ADD, &one, NULL);
    }
    gas_nbi_wait();
}

BENCH_REPEATED(short_trip)
BENCH_REPEATED(medium_trip)
BENCH_REPEATED(long_trip)
BENCH_REPEATED(put)
BENCH_REPEATED(get)
BENCH_REPEATED(add)
BENCH_REPEATED(put_large)
BENCH_REPEATED(put_many)
BENCH_REPEATED(add_many)
BENCH_REPEATED(gas_barrier)

static const struct {
    const char *name, *unit;
    double scale;
    void (*run)(long times);
    size_t bytes;
    int times; /* in a round; by so much more on one host */
    int more;
    int both; /* ranks do it */
} measured[] = {
    {"short", "us", 1e6, short_trip_times, 0, 40, 25, 0},
    {"medium-4K", "us", 1e6, medium_trip_times, 4096, 40, 10, 0},
    {"long-64K", "us", 1e6, long_trip_times, LARGE, 20, 5, 0},
    {"put-8", "ns", 1e9, put_times, 0, 40, 1000, 0},
    {"get-8", "ns", 1e9, get_times, 0, 40, 1000, 0},
    {"add-8", "ns", 1e9, add_times, 0, 40, 100, 0},
    {"put-64K", "us", 1e6, put_large_times, 0, 20, 5, 0},
    {"put-8-nbi", "ns", 1e9 / MANY, put_many_times, 0, 4, 4, 0},
    {"add-8-nbi", "ns", 1e9 / MANY, add_many_times, 0, 4, 4, 0},
    {"barrier", "us", 1e6, gas_barrier_times, 0, 40, 25, 1},
};
enum { N = sizeof measured / sizeof *measured };

static void measure(int i, struct bench_times *times) {
    long n = (long)measured[i].times * (gas_hosts() == 1 ? measured[i].more : 1);
    gas_barrier();
    bytes = measured[i].bytes;
    if (gas_rank() == 0 || measured[i].both) {
        double begin = bench_now();
        measured[i].run(n);
        bench_add(times, (bench_now() - begin) / (double)n);
    }
    gas_barrier(); /* where the other rank serves */
}

/* Once, untimed, with bytes that nobody has seen before: what comes back, and what is there then. */
static void check(void) {
    static unsigned char back[LARGE];
    uint64_t before, after;
    checks = 1;
    for (size_t i = 0; i < LARGE; i++) {
        data[i] = (unsigned char)(i * 7 + i / 251 + 1);
    }
    short_trip();
    bytes = 4096;
    medium_trip();
    bytes = LARGE;
    long_trip();
    for (size_t i = 0; i < LARGE; i++) {
        data[i]++;
    }
    put_large();
    gas_get(back, there, LARGE);
    bench_check(memcmp(back, data, LARGE) == 0, "gas-put-64K: bytes differ");
    data[0]++;
    put();
    get();
    gas_get(back, there, 8);
    bench_check(memcmp(back, data, 8) == 0, "gas-put-8: bytes differ");
    gas_get(&before, there, 8);
    add();
    gas_get(&after, there, 8);
    bench_check(after == before + 1, "gas-add-8: %lu", (unsigned long)after);
    gas_get(&before, there + 8, 8);
    add_many();
    gas_get(&after, there + 8, 8);
    bench_check(after == before + 1, "gas-add-8-nbi: %lu", (unsigned long)after);
    put_many();
    gas_get(back, there + 8 * 1000 - 8, 8);
    bench_check(memcmp(back, data, 8) == 0, "gas-put-8-nbi: bytes differ");
    checks = 0;
}

int main(void) {
    static struct bench_times times[N];
    void *segment;
    gas_init(0);
    gas_register(PING, ping);
    gas_register(PONG, pong);
    gas_register(SHORT_PING, short_ping);
    gas_register(SHORT_PONG, short_pong);
    gas_ad_create(&counter, GAS_U64, GAS_OP_FADD | GAS_OP_ADD);
    gas_segment_attach(&segment, LARGE);
    there = gas_segment_of(1 - gas_rank(), NULL);
    gas_barrier();
    if (gas_rank() == 0) {
        check();
    }
    gas_barrier();
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < N; i++) {
            measure(i, &times[i]);
        }
    }
    for (int i = 0; gas_rank() == 0 && i < N; i++) {
        char name[64];
        snprintf(name, sizeof name, "gas-%s%s", measured[i].name, gas_hosts() > 1 ? "-away" : "");
        bench_time(name, measured[i].unit, measured[i].scale, &times[i]);
    }
    gas_finish();
}
