/* SPDX-License-Identifier: BSD-3-Clause */
/* Traffic in cells that the tests of one host and of several have in common. */
#ifndef FL_SYNC_PAIRS_FOR_TEST_H
#define FL_SYNC_PAIRS_FOR_TEST_H

#include "core/test.h"
#include "sync/pairs.h"

#ifndef PAIRS_ROUNDS
#define PAIRS_ROUNDS (TEST_TSAN ? 300 : 2000)
#endif

struct pairs_message {
    uint64_t number;
    uint32_t from, words;
    uint32_t word[10];
};
_Static_assert(sizeof(struct pairs_message) == FL_PAIRS_BYTES, "it fills a cell");

static void send_cell(const struct fl_pairs *pairs, unsigned me, unsigned to, uint64_t number) {
    struct pairs_message *message = fl_pairs_room(pairs, me, to);
    message->number = number;
    message->from = me;
    message->words = (uint32_t)(number % 11);
    for (unsigned i = 0; i < message->words; i++) {
        message->word[i] = (uint32_t)number * (i + 7);
    }
    fl_pairs_send(pairs, me, to);
}

static bool receive_cell(const struct fl_pairs *pairs, unsigned me, unsigned from,
                         uint64_t number) {
    if (number % 5 == 2) {
        while (!fl_pairs_peek(pairs, me, from)) {
            fl_wait_poll();
            fl_os_yield();
        }
    }
    const struct pairs_message *message = fl_pairs_await(pairs, me, from);
    bool good = message->number == number && message->from == from && message->words == number % 11;
    for (unsigned i = 0; good && i < message->words; i++) {
        good = message->word[i] == (uint32_t)number * (i + 7);
    }
    fl_pairs_done(pairs, me, from);
    return good;
}

/* Bursts of every length that needs no receiver, from each to each, itself too. */
static bool all_to_all(const struct fl_pairs *pairs, unsigned me) {
    unsigned n = pairs->members;
    bool good = true;
    for (uint64_t i = 0, next = 0; i < PAIRS_ROUNDS / 10; i++) {
        uint64_t burst = 1 + i % FL_PAIRS_AHEAD;
        for (unsigned k = 0; k < n; k++) {
            for (uint64_t b = 0; b < burst; b++) {
                send_cell(pairs, me, (me + k) % n, next + b);
            }
        }
        for (unsigned k = 0; k < n; k++) {
            for (uint64_t b = 0; b < burst; b++) {
                good = receive_cell(pairs, me, (me + n - k) % n, next + b) && good;
            }
        }
        next += burst;
    }
    return good;
}

/* All cells go one way, so that only a full ring makes a sender wait. */
static bool stream(const struct fl_pairs *pairs, unsigned me) {
    bool good = true;
    for (uint64_t i = 0; i < PAIRS_ROUNDS; i++) {
        if (me > 0) {
            good = receive_cell(pairs, me, me - 1, i) && good;
        }
        if (me + 1 < pairs->members) {
            send_cell(pairs, me, me + 1, i);
        }
    }
    return good;
}

#endif
