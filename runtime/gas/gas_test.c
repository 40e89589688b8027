/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of one rank send messages to it and do atomic operations concurrently. Also bounds the
 * layer's memory for each process of a large job. tests/cli/gas.toml tests several ranks. */
#include "gas/inside.h"

#include "core/test.h"

enum { THREADS = 5, EACH = 2000, PING = 1, PONG = 2 };

static struct {
    gas_hsl_t lock;
    unsigned long pings, pongs; /* under the lock */
} seen;

static void add(unsigned long *count) {
    gas_hsl_lock(&seen.lock);
    ++*count;
    gas_hsl_unlock(&seen.lock);
}

static void ping(gas_token_t token, const uint32_t *args, unsigned n_args, void *payload,
                 size_t bytes) {
    add(&seen.pings);
    gas_reply_medium(token, PONG, payload, bytes, args, n_args);
}

static void pong(gas_token_t token, const uint32_t *args, unsigned n_args, void *payload,
                 size_t bytes) {
    (void)token, (void)payload;
    if (n_args == 2 && bytes == 100 && args[1] == 7) {
        add(&seen.pongs);
    }
}

static bool send_and_add(unsigned me, void *context) {
    uint64_t *word = context;
    static const unsigned char payload[100];
    gas_ad_t domain;
    bool good = gas_ad_create(&domain, GAS_U64, GAS_OP_FADD) == GAS_OK;
    const uint64_t one = 1;
    for (unsigned i = 0; i < EACH; i++) {
        uint64_t before;
        gas_request_medium(0, PING, payload, sizeof payload, 0, GAS_ARGS(me, 7));
        gas_ad_op(&domain, &before, word, GAS_OP_FADD, &one, NULL);
        good = good && before < THREADS * EACH;
        gas_poll();
    }
    return good;
}

/* All ranks on one host, where inboxes are largest, plus the memory that a network would need. */
static uint64_t bytes_per_process(unsigned procs) {
    uint64_t inboxes = fl_am_bytes(procs) / procs;
    uint64_t ahead = 2 * procs * sizeof(struct gas_more);
    uint64_t cards = procs * sizeof(struct fl_net_card);
    return sizeof gas_process + inboxes + ahead + cards + fl_comm_bytes(procs);
}

int main(void) {
    CHECK(gas_init(GAS_THREADS) == GAS_OK && gas_rank() == 0 && gas_size() == 1, "a job alone");
    gas_register(PING, ping);
    gas_register(PONG, pong);
    void *segment;
    CHECK(gas_segment_attach(&segment, 4096) == GAS_OK && gas_is_here(segment), "a segment");
    CHECK(test_in_threads(THREADS, send_and_add, segment), "threads send and add");
    CHECK(seen.pings == THREADS * EACH && seen.pongs == THREADS * EACH, "all messages were seen");
    CHECK(gas_get_value(segment, 8) == THREADS * EACH, "all were added");
    CHECK(bytes_per_process(64) < 4 << 20, "%llu KiB for each of 64 processes",
          (unsigned long long)bytes_per_process(64) / 1024);
    CHECK(bytes_per_process(1024) < 64 << 20, "%llu KiB for each of 1024 processes",
          (unsigned long long)bytes_per_process(1024) / 1024);
    return test_done();
}
