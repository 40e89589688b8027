/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pairwise synchronisation of the members of a group, numbered from 0: each waits for one named
 * other, and nobody else is involved. From each member to each, itself too, there are
 *
 *   signals, which are counted: sending never blocks, waiting takes one;
 *   a ring of cells, each a cache line with a few bytes: what a message needs in order to be
 *   small and fast. Sending blocks only while the ring may be full.
 *
 * A cell is written by its sender only and read by its receiver only, in the receiver's memory: one
 * line moves for each message. That the sender may use a cell again is told to it in the cells that
 * come the other way, and else by a line that it looks at when the ring seems full. The two kinds do
 * not order each other's waiting: neither is overtaken by its own kind.
 *
 * Waiting spins, yields, and sleeps on the member's bell (core/wait.h), which whoever sends rings.
 * tests/litmus/pairs.pml is the model.
 * tests/litmus/pairs.pml is the model.
 *
 * Each member has an inbox, of which only what is used becomes memory. Only one thread at a time
 * may call in the name of a member. The memory may go once all members have returned from their
 * last call.
 */
#ifndef FL_SYNC_PAIRS_H
#define FL_SYNC_PAIRS_H

#include "core/wait.h"

enum {
    FL_PAIRS_CELLS = 8,                  /* in a ring; a power of two */
    FL_PAIRS_AHEAD = FL_PAIRS_CELLS / 2, /* so many that are not done yet never block a sender */
    FL_PAIRS_BYTES = 56,                 /* in a cell */
};

struct fl_pairs_cell {
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t turn; /* 1 + the message's number */
    uint32_t taken; /* of the other direction's ring, as its receiver knew when it sent this */
    _Alignas(8) unsigned char bytes[FL_PAIRS_BYTES];
};
_Static_assert(sizeof(struct fl_pairs_cell) == FL_CACHE_LINE, "a message is one line");

/* What a member is sent by one other. */
struct fl_pairs_from {
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t signals; /* all there ever were */
    _Atomic uint32_t taken;                           /* of what this member has sent to that one */
    struct fl_pairs_cell cells[FL_PAIRS_CELLS];
};

/* What a member knows of its traffic with one other. All count from the beginning, modulo 2^32. */
struct fl_pairs_peer {
    uint32_t sent;     /* cells */
    uint32_t room;     /* of these, those known to have been taken */
    uint32_t received; /* cells */
    uint32_t waited;   /* signals */
};

/* Begins an inbox; a struct fl_pairs_peer and a struct fl_pairs_from for each member follow. */
struct fl_pairs_inbox {
    struct fl_wait_bell bell;
};

/* Per process. */
struct fl_pairs {
    unsigned members;
    struct fl_wait_policy policy;
    const char *what;                /* they wait in, if the caller has not said (fl_wait_begin) */
    const unsigned *threads;         /* of the members, for messages; null: their own numbers */
    struct fl_pairs_inbox **inboxes; /* of the members */
};

/* Bytes of an inbox. They must start as zeros, aligned to a cache line. */
uint64_t fl_pairs_bytes(unsigned members);

static inline struct fl_pairs_peer *fl_pairs_peer(const struct fl_pairs *pairs, unsigned me,
                                                  unsigned peer) {
    return (struct fl_pairs_peer *)(void *)(pairs->inboxes[me] + 1) + peer;
}

static inline uint64_t fl_pairs_from_offset(unsigned members) {
    return sizeof(struct fl_pairs_inbox) +
           fl_round_up(members * sizeof(struct fl_pairs_peer), FL_CACHE_LINE);
}

/* Where `me` finds what `from` sends. */
static inline struct fl_pairs_from *fl_pairs_from(const struct fl_pairs *pairs, unsigned me,
                                                  unsigned from) {
    void *first = (char *)pairs->inboxes[me] + fl_pairs_from_offset(pairs->members);
    return (struct fl_pairs_from *)first + from;
}

/* What follows is called by member `me`. */

/* When it has to wait. */
void fl_pairs_wait_slow(const struct fl_pairs *pairs, unsigned me, unsigned from);
void fl_pairs_room_slow(const struct fl_pairs *pairs, unsigned me, unsigned to);
const void *fl_pairs_await_slow(const struct fl_pairs *pairs, unsigned me, unsigned from);

/* Sends a signal. Never blocks. A full fence: who has waited for it sees all that came before. */
static inline void fl_pairs_signal(const struct fl_pairs *pairs, unsigned me, unsigned to) {
    /* [Q1] pairs [Q2]; seq_cst for the bell, and because it is a strict write. */
    atomic_fetch_add_explicit(&fl_pairs_from(pairs, to, me)->signals, 1, memory_order_seq_cst);
    fl_wait_ring(&pairs->inboxes[to]->bell);
}

/* Takes a signal from `from` if there is one. Acquires what came before it; seq_cst among signals. */
static inline bool fl_pairs_try(const struct fl_pairs *pairs, unsigned me, unsigned from) {
    struct fl_pairs_peer *peer = fl_pairs_peer(pairs, me, from);
    /* [Q2] pairs [Q1]; seq_cst because it is a strict read. */
    if (atomic_load_explicit(&fl_pairs_from(pairs, me, from)->signals, memory_order_seq_cst) ==
        peer->waited) {
        return false;
    }
    peer->waited++;
    return true;
}

/* Blocks until it has taken one. */
static inline void fl_pairs_wait(const struct fl_pairs *pairs, unsigned me, unsigned from) {
    if (!fl_pairs_try(pairs, me, from)) {
        fl_pairs_wait_slow(pairs, me, from);
    }
}

static inline struct fl_pairs_cell *fl_pairs_next_out(const struct fl_pairs *pairs, unsigned me,
                                                      unsigned to) {
    uint32_t sent = fl_pairs_peer(pairs, me, to)->sent;
    return &fl_pairs_from(pairs, to, me)->cells[sent % FL_PAIRS_CELLS];
}

static inline struct fl_pairs_cell *fl_pairs_next_in(const struct fl_pairs *pairs, unsigned me,
                                                     unsigned from) {
    uint32_t received = fl_pairs_peer(pairs, me, from)->received;
    return &fl_pairs_from(pairs, me, from)->cells[received % FL_PAIRS_CELLS];
}

/* FL_PAIRS_BYTES, aligned to 8, for the next message to `to`. Blocks while the ring may be full. Until
 * it is sent, the member fills no other. */
static inline void *fl_pairs_room(const struct fl_pairs *pairs, unsigned me, unsigned to) {
    const struct fl_pairs_peer *peer = fl_pairs_peer(pairs, me, to);
    if (FL_UNLIKELY(peer->sent - peer->room >= FL_PAIRS_CELLS)) {
        fl_pairs_room_slow(pairs, me, to);
    }
    return fl_pairs_next_out(pairs, me, to)->bytes;
}

/* Sends it. Does not block. Releases. */
static inline void fl_pairs_send(const struct fl_pairs *pairs, unsigned me, unsigned to) {
    struct fl_pairs_cell *cell = fl_pairs_next_out(pairs, me, to);
    struct fl_pairs_peer *peer = fl_pairs_peer(pairs, me, to);
    cell->taken = peer->received;
    peer->sent++;
    /* [Q3] pairs [Q4]; seq_cst for the bell. */
    atomic_exchange_explicit(&cell->turn, peer->sent, memory_order_seq_cst);
    fl_wait_ring(&pairs->inboxes[to]->bell);
}

/* The bytes of the next message from `from`, or null if it has not come. They stay until
 * fl_pairs_done. Acquires. */
static inline const void *fl_pairs_peek(const struct fl_pairs *pairs, unsigned me, unsigned from) {
    const struct fl_pairs_cell *cell = fl_pairs_next_in(pairs, me, from);
    /* [Q4] pairs [Q3]: else it is read half written. */
    return atomic_load_explicit(&cell->turn, memory_order_acquire) ==
                   fl_pairs_peer(pairs, me, from)->received + 1
               ? cell->bytes
               : NULL;
}

/* The same; blocks until it has come. */
static inline const void *fl_pairs_await(const struct fl_pairs *pairs, unsigned me, unsigned from) {
    const void *bytes = fl_pairs_peek(pairs, me, from);
    return bytes ? bytes : fl_pairs_await_slow(pairs, me, from);
}

/* The message is no longer needed, and the next one may be looked at. Does not block. */
static inline void fl_pairs_done(const struct fl_pairs *pairs, unsigned me, unsigned from) {
    struct fl_pairs_peer *peer = fl_pairs_peer(pairs, me, from);
    peer->room = fl_pairs_next_in(pairs, me, from)->taken;
    peer->received++;
    if (peer->received % FL_PAIRS_AHEAD == 0) {
        /* [Q5] pairs [Q6]: else the sender overwrites what is being read. seq_cst for the bell. */
        atomic_exchange_explicit(&fl_pairs_from(pairs, from, me)->taken, peer->received,
                                 memory_order_seq_cst);
        fl_wait_ring(&pairs->inboxes[from]->bell);
    }
}

#endif
