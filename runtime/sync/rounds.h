/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dissemination (Hensgen, Finkel and Manber 1988), driven by events. In round r a host sends to the
 * one 2^r after it what it has received in the rounds before; when it has received a message in all
 * rounds, all hosts have arrived. Each event, which is the host's own arrival or that of a message,
 * flips its bit in a word of the host's shared memory, and does what has become possible by that
 * flip: no two events can do the same, and no thread waits.
 *
 * A host can hear of epoch e + 1 while it is still in e, hence one word for each parity, but not of
 * e + 2: for that, all hosts must have passed e + 1, so this one too, and have heard all that this
 * one said in e. That is also why nothing need be reset: all bits have flipped when an epoch ends.
 * tests/litmus/hosts.pml is this protocol's model.
 */
#ifndef FL_SYNC_ROUNDS_H
#define FL_SYNC_ROUNDS_H

#include "core/assert.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { FL_ROUNDS_MOST = 20, FL_ROUNDS_ARRIVED = 1 }; /* the bit of the host's own arrival */

static inline uint32_t fl_rounds_heard(unsigned round) {
    return 2u << round;
}

/* What an event has made possible. */
struct fl_rounds_event {
    unsigned from, to; /* rounds whose messages must be sent */
    bool is_last;      /* all hosts have arrived */
};

static inline unsigned fl_rounds_sendable(uint32_t bits, unsigned rounds) {
    unsigned known = (unsigned)__builtin_ctz(~bits);
    return known < rounds ? known : rounds;
}

/* Flips the event's bit in the word of the epoch's parity, which began as 0 in epochs 1 and 2. */
static inline struct fl_rounds_event fl_rounds_happen(_Atomic uint32_t *word, unsigned rounds,
                                                      uint32_t epoch, uint32_t bit) {
    uint32_t all = (2u << rounds) - 1;
    uint32_t first = (epoch - 1) >> 1 & 1 ? all : 0;
    /* [H1] pairs itself: a thread that sends for several events sees what each of them wrote. */
    uint32_t before = atomic_fetch_xor_explicit(word, bit, memory_order_acq_rel) ^ first;
    uint32_t after = before | bit;
    fl_assert((bit & all) == bit && !(before & bit) && before <= all);
    return (struct fl_rounds_event){fl_rounds_sendable(before, rounds),
                                    fl_rounds_sendable(after, rounds), after == all};
}

#endif
