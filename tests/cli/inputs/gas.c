/* SPDX-License-Identifier: BSD-3-Clause */
/* All of <furlong/gas.h> between all ranks, which check what they get. Prints "ok" and the number of
 * ranks. */
#include <furlong/gas.h>

#include "gas_fill.h"

#include <stdio.h>
#include <stdlib.h>

enum { PING, PONG, BIG, BIG_BACK, LONG, LONG_BACK, COUNT = 255 };
enum { BYTES = 1 << 20, MEDIUM = 65536 };

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("rank %u, line %d: %s\n", gas_rank(), __LINE__, #condition);                    \
            gas_exit(1);                                                                           \
        }                                                                                          \
    } while (0)

static _Atomic unsigned pongs, counted; /* handlers run in a thread of the library too */
static gas_hsl_t lock;

/* Of every rank's segment. Words of 8 bytes for each rank, bytes for long messages, bytes to get. */
struct segment {
    uint64_t words[64];
    uint32_t sum32;
    double sum;
    uint64_t lowest;
    unsigned char in[64][2048], back[64][2048];
    unsigned char pattern[BYTES / 2];
};
static struct segment *mine;

static struct segment *of(gas_rank_t rank) {
    return gas_segment_of(rank, NULL);
}

static int ascending(const uint32_t *args, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        if (args[i] != i + 1) {
            return 0;
        }
    }
    return 1;
}

static void ping(gas_token_t token, const uint32_t *args, unsigned n, void *payload, size_t bytes) {
    struct gas_token_info info;
    gas_token_info(token, &info);
    CHECK(info.handler == PING && info.is_request && info.category == GAS_SHORT && info.source < gas_size());
    (void)payload;
    CHECK(bytes == 0 && ascending(args, n));
    gas_reply_short(token, PONG, args, n);
}

static void pong(gas_token_t token, const uint32_t *args, unsigned n, void *payload, size_t bytes) {
    (void)token, (void)payload;
    CHECK(bytes == 0 && ascending(args, n));
    pongs++;
}

static void big(gas_token_t token, const uint32_t *args, unsigned n, void *payload, size_t bytes) {
    CHECK(ascending(args, n) && filled(payload, bytes, n));
    struct gas_prepared prepared;
    if (n % 2) {
        gas_reply_medium(token, BIG_BACK, payload, bytes, args, n);
        return;
    }
    gas_prepare_reply_medium(token, 10, 100, &prepared);
    gas_cancel(&prepared);
    gas_prepare_reply_medium(token, bytes, MEDIUM, &prepared);
    memcpy(prepared.payload, payload, bytes);
    gas_commit(&prepared, BIG_BACK, bytes, args, n);
}

static void big_back(gas_token_t token, const uint32_t *args, unsigned n, void *payload,
                     size_t bytes) {
    (void)token;
    CHECK(ascending(args, n) && filled(payload, bytes, n));
    pongs++;
}

static void long_(gas_token_t token, const uint32_t *args, unsigned n, void *payload,
                  size_t bytes) {
    struct gas_token_info info;
    gas_token_info(token, &info);
    CHECK(ascending(args, n) && payload == mine->in[info.source]);
    CHECK(filled(payload, bytes, info.source));
    unsigned char *back = of(info.source)->back[gas_rank()];
    struct gas_prepared prepared;
    CHECK(info.category == GAS_LONG);
    if (n % 2) {
        gas_reply_long(token, LONG_BACK, payload, bytes, back, args, n);
        return;
    }
    gas_prepare_reply_long(token, bytes, 2 * bytes, back, &prepared);
    CHECK(!gas_is_here(back) || prepared.payload == back);
    gas_cancel(&prepared);
    gas_prepare_reply_long(token, bytes, 2 * bytes, n % 4 ? back : NULL, &prepared);
    memcpy(prepared.payload, payload, bytes);
    gas_commit_long(&prepared, LONG_BACK, bytes, back, args, n);
}

static void long_back(gas_token_t token, const uint32_t *args, unsigned n, void *payload,
                      size_t bytes) {
    struct gas_token_info info;
    gas_token_info(token, &info);
    CHECK(!info.is_request && ascending(args, n) && payload == mine->back[info.source]);
    CHECK(filled(payload, bytes, gas_rank()));
    pongs++;
}

static void count(gas_token_t token, const uint32_t *args, unsigned n, void *payload,
                  size_t bytes) {
    (void)token, (void)payload, (void)bytes;
    CHECK(n == 3 && gas_arg64(args, 1) == 0x123456789abcdef0u);
    gas_hsl_lock(&lock);
    CHECK(gas_hsl_try(&lock) != GAS_OK);
    counted += args[0];
    gas_hsl_unlock(&lock);
}

static void messages(void) {
    static unsigned char payload[MEDIUM];
    uint32_t args[GAS_ARGS_MOST];
    unsigned sent = 0;
    for (unsigned i = 0; i < GAS_ARGS_MOST; i++) {
        args[i] = i + 1;
    }
    CHECK(gas_max_medium() >= MEDIUM && gas_max_long() >= sizeof *mine);
    for (gas_rank_t to = 0; to < gas_size(); to++) {
        for (unsigned n = 0; n <= GAS_ARGS_MOST; n++) {
            CHECK(gas_request_short(to, PING, 0, args, n) == GAS_OK);
            static const size_t sizes[] = {0, 8, 40, 41, 4096, MEDIUM};
            size_t bytes = sizes[(n + to) % 6];
            fill(payload, bytes, n);
            gas_request_medium(to, BIG, payload, bytes, 0, args, n);
            struct gas_prepared prepared;
            CHECK(gas_prepare_medium(to, bytes, MEDIUM, &prepared) == GAS_OK);
            CHECK(prepared.bytes >= bytes);
            fill(prepared.payload, bytes, n);
            gas_commit(&prepared, BIG, bytes, args, n);
            while (gas_prepare_medium_try(to, 100, 1000, &prepared) == GAS_ERR_NOT_READY) {
                gas_poll();
            }
            gas_cancel(&prepared);
            sent += 3;
        }
        GAS_BLOCK_UNTIL(pongs == sent);
        for (unsigned n = 0; n <= GAS_ARGS_MOST; n++) {
            gas_event_t local;
            fill(payload, 2000, gas_rank());
            gas_request_long(to, LONG, payload, 2000, of(to)->in[gas_rank()],
                             n % 3 == 0   ? GAS_EVENT_NOW
                             : n % 3 == 1 ? GAS_EVENT_DEFER
                                          : &local,
                             0, args, n);
            if (n % 3 == 1) {
                gas_nbi_wait();
            } else if (n % 3 == 2) {
                gas_event_wait(local);
            }
            sent++;
            GAS_BLOCK_UNTIL(pongs == sent); /* one place for the bytes */
            struct gas_prepared prepared;
            gas_prepare_long(to, 100, 2000, of(to)->in[gas_rank()], &prepared);
            gas_cancel(&prepared);
            gas_prepare_long(to, 1999, 2000, of(to)->in[gas_rank()], &prepared);
            fill(prepared.payload, 1999, gas_rank());
            gas_commit(&prepared, LONG, 1999, args, n);
            sent++;
            GAS_BLOCK_UNTIL(pongs == sent);
        }
    }
    for (gas_rank_t to = 0; to < gas_size(); to++) {
        const uint64_t wide = 0x123456789abcdef0u;
        while (gas_request_short(to, COUNT, GAS_IMMEDIATE, GAS_ARGS(to + 1, GAS_ARG64(wide))) !=
               GAS_OK) {
            gas_poll();
        }
        gas_request_short(to, PING, 0, GAS_NO_ARGS);
    }
    GAS_BLOCK_UNTIL(pongs == sent + gas_size() && counted == gas_size() * (gas_rank() + 1));
}

static void transfers(void) {
    gas_rank_t size = gas_size(), me = gas_rank();
    gas_event_t events[128];
    for (gas_rank_t r = 0; r < size; r++) {
        gas_put_value(&of(r)->words[me], 1000 * r + me, 8);
    }
    gas_barrier();
    for (gas_rank_t r = 0; r < size; r++) {
        CHECK(mine->words[r] == 1000 * me + r);
        CHECK(gas_get_value(&of(r)->words[me], 8) == 1000 * r + me);
    }
    gas_barrier();
    static uint64_t values[64];
    for (gas_rank_t r = 0; r < size; r++) {
        gas_event_t local;
        values[r] = 7 * r + me;
        events[2 * r] = gas_put_nb(&of(r)->words[me], &values[r], 8, &local);
        events[2 * r + 1] = local;
    }
    gas_event_wait_some(events, 2 * size);
    while (gas_event_test_some(events, 2 * size) != GAS_OK) {
    }
    while (gas_event_test_all(events, 2 * size) != GAS_OK) {
    }
    gas_barrier();
    for (gas_rank_t r = 0; r < size; r++) {
        CHECK(mine->words[r] == 7 * me + r);
    }
    static unsigned char copies[2][BYTES / 2];
    for (gas_rank_t r = 0; r < size; r++) {
        gas_get(copies[0], of(r)->pattern, sizeof mine->pattern);
        CHECK(filled(copies[0], sizeof mine->pattern, r));
        gas_event_t event = gas_get_nb(copies[1], of(r)->pattern, sizeof mine->pattern);
        while (gas_event_test(event) != GAS_OK) {
        }
        CHECK(filled(copies[1], sizeof mine->pattern, r));
    }
    gas_barrier();
    gas_nbi_begin();
    for (gas_rank_t r = 0; r < size; r++) {
        values[r] = 9 * r + me;
        gas_put_nbi(&of(r)->words[me], &values[r], 8);
    }
    events[0] = gas_nbi_end();
    gas_event_wait_all(events, 1);
    gas_barrier();
    for (gas_rank_t r = 0; r < size; r++) {
        gas_get_nbi(&values[r], &of(r)->words[me], 8);
    }
    while (gas_nbi_test() != GAS_OK) {
    }
    for (gas_rank_t r = 0; r < size; r++) {
        CHECK(values[r] == 9 * r + me && mine->words[r] == 9 * me + r);
    }
    gas_barrier();
    gas_nbi_add(gas_put_nb(&of((me + 1) % size)->pattern, copies[1], 0, GAS_EVENT_NOW));
    gas_nbi_wait();
    gas_put(of((me + 1) % size)->pattern, copies[0], sizeof mine->pattern);
    gas_barrier();
    CHECK(filled(mine->pattern, sizeof mine->pattern, size - 1));
    gas_barrier();
}

/* Into the next rank's segment and back: rows of 5 bytes that are 16 apart, against bytes in a row. */
static void pieces(void) {
    unsigned char *there = of((gas_rank() + 1) % gas_size())->in[0];
    unsigned char row[200 * 5], back[200 * 5];
    fill(row, sizeof row, gas_rank());
    const size_t count[] = {5, 10, 20};
    const ptrdiff_t apart[] = {16, 160}, together[] = {5, 50};
    gas_event_wait(gas_put_strided_nb(there, apart, row, together, count, 2));
    memset(back, 0, sizeof back);
    gas_event_wait(gas_get_strided_nb(back, together, there, apart, count, 2));
    CHECK(memcmp(row, back, sizeof row) == 0);

    void *scattered[200];
    const void *whole[] = {row};
    for (int i = 0; i < 200; i++) {
        scattered[i] = there + 10 * (199 - i);
    }
    gas_event_wait(gas_put_indexed_nb(scattered, 200, 5, whole, 1, sizeof row));
    memset(back, 0, sizeof back);
    void *whole_back[] = {back};
    gas_event_wait(gas_get_indexed_nb(whole_back, 1, sizeof back,
                                      (const void *const *)scattered, 200, 5));
    CHECK(memcmp(row, back, sizeof row) == 0);

    const struct gas_piece to[] = {{there + 100, 300}, {there + 1000, 0}, {there + 1200, 700}};
    const struct gas_piece from[] = {{row, 650}, {row + 650, 350}};
    const struct gas_piece into[] = {{back, 1000}};
    gas_event_wait(gas_put_vector_nb(to, 3, from, 2));
    memset(back, 0, sizeof back);
    gas_event_wait(gas_get_vector_nb(into, 1, to, 3));
    CHECK(memcmp(row, back, sizeof row) == 0);
    gas_put_strided(there, apart, row, together, count, 2);
    memset(back, 0, sizeof back);
    gas_get_strided_nbi(back, together, there, apart, count, 2);
    gas_nbi_wait();
    CHECK(memcmp(row, back, sizeof row) == 0);
    gas_barrier();
}

static void atomics(void) {
    gas_ad_t u64, i32, dbl;
    CHECK(gas_ad_create(&u64, GAS_U64, GAS_OP_FADD | GAS_OP_MAX | GAS_OP_FCAS | GAS_OP_GET) == 0);
    CHECK(gas_ad_create(&i32, GAS_I32, GAS_OP_INC | GAS_OP_SWAP | GAS_OP_SET) == GAS_OK);
    CHECK(gas_ad_create(&dbl, GAS_DBL, GAS_OP_ADD) == GAS_OK);
    CHECK(gas_ad_create(&dbl, GAS_DBL, GAS_OP_ADD | GAS_OP_XOR) == GAS_ERR_BAD_ARG);
    struct segment *zero = of(0);
    gas_put_value(&mine->words[0], 0, 8);
    gas_barrier();
    uint64_t one = 1, old = 77, me = gas_rank();
    double half = 0.5;
    for (int i = 0; i < 100; i++) {
        gas_ad_op(&u64, &old, &zero->words[0], GAS_OP_FADD, &one, NULL);
        CHECK(old < 100 * gas_size());
        gas_ad_op_nbi(&i32, NULL, &zero->sum32, GAS_OP_INC, NULL, NULL);
        gas_event_wait(gas_ad_op_nb(&dbl, NULL, &zero->sum, GAS_OP_ADD, &half, NULL));
    }
    gas_nbi_wait();
    gas_ad_op(&u64, NULL, &zero->lowest, GAS_OP_MAX, &me, NULL);
    gas_barrier();
    gas_ad_op(&u64, &old, &zero->words[0], GAS_OP_GET, NULL, NULL);
    CHECK(old == 100 * gas_size());
    CHECK(gas_get_value(&zero->sum32, 4) == 100 * gas_size());
    uint64_t bits = gas_get_value(&zero->sum, 8);
    double sum;
    memcpy(&sum, &bits, sizeof sum);
    CHECK(sum == 50.0 * gas_size());
    CHECK(gas_get_value(&zero->lowest, 8) == gas_size() - 1);
    gas_barrier();
    int32_t guard[3] = {-1, 0, -1}, five = 5;
    if (gas_rank() == gas_size() - 1) {
        gas_ad_op(&i32, NULL, &zero->sum32, GAS_OP_SET, &five, NULL);
        gas_event_wait(gas_ad_op_nb(&i32, &guard[1], &zero->sum32, GAS_OP_SWAP, &guard[0], NULL));
        CHECK(guard[0] == -1 && guard[1] == 5 && guard[2] == -1);
        uint64_t expected = 100 * gas_size();
        gas_ad_op(&u64, &old, &zero->words[0], GAS_OP_FCAS, &expected, &one);
        CHECK(old == expected && gas_get_value(&zero->words[0], 8) == 1);
    }
    gas_barrier();
}

static void barriers(void) {
    for (int i = 0; i < 50; i++) {
        gas_barrier_notify(i, 0);
        int result;
        while ((result = gas_barrier_try(i, 0)) == GAS_ERR_NOT_READY) {
        }
        CHECK(result == GAS_OK);
    }
    unsigned flags = gas_rank() % 2 ? GAS_BARRIER_ANONYMOUS : 0;
    gas_barrier_notify(3, flags);
    CHECK(gas_barrier_wait(3, flags) == GAS_OK);
    if (gas_size() > 1) {
        gas_barrier_notify((int)gas_rank(), 0);
        CHECK(gas_barrier_wait((int)gas_rank(), 0) == GAS_ERR_BARRIER_MISMATCH);
    }
    gas_barrier_notify(0, gas_rank() == 0 ? GAS_BARRIER_MISMATCH : 0);
    CHECK(gas_barrier_wait(0, 0) == GAS_ERR_BARRIER_MISMATCH);
}

static void neighbourhood(void) {
    gas_rank_t next = 0;
    for (unsigned host = 0; host < gas_hosts(); host++) {
        struct gas_host ranks = gas_host_ranks(host);
        CHECK(ranks.first == next && ranks.count > 0 && gas_host_of(next) == host);
        next += ranks.count;
        int here = gas_host_of(gas_rank()) == host;
        CHECK(gas_is_here(of(ranks.first)) == here);
    }
    CHECK(next == gas_size());
}

int main(int argc, char **argv) {
    gas_init(argc > 1 ? GAS_THREADS : 0);
    static gas_handler_function *const handlers[GAS_HANDLERS_MOST] = {
        [PING] = ping,  [PONG] = pong,           [BIG] = big,    [BIG_BACK] = big_back,
        [LONG] = long_, [LONG_BACK] = long_back, [COUNT] = count};
    for (unsigned i = 0; i < sizeof handlers / sizeof handlers[0]; i++) {
        gas_register((gas_handler_t)i, handlers[i]);
    }
    void *memory;
    CHECK(gas_segment_attach(&memory, SIZE_MAX) == GAS_ERR_BAD_ARG);
    CHECK(gas_segment_most() >= sizeof *mine);
    mine = gas_segment_of(gas_rank(), NULL);
    fill(mine->pattern, sizeof mine->pattern, gas_rank());
    CHECK(gas_segment_attach(&memory, sizeof *mine) == GAS_OK && memory == mine);
    size_t bytes;
    gas_segment_of(gas_size() - 1, &bytes);
    CHECK(bytes == sizeof *mine);
    struct gas_patience patience = {0};
    gas_wait_step(&patience);
    neighbourhood();
    messages();
    gas_barrier();
    transfers();
    pieces();
    atomics();
    barriers();
    if (gas_rank() == 0) {
        printf("ok %u\n", gas_size());
    }
    if (argc > 2) {
        gas_finish();
    }
    return 0;
    (void)argv;
}
