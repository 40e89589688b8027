/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pairwise synchronisation of the members of a group, numbered from 0: each waits for one named
 * other, without any third thread. From each member to each, itself too, there are
 *
 *   signals, which are counted: sending never blocks, waiting takes one;
 *   a ring of cells, each a cache line with a few bytes: what a message needs in order to be
 *   small and fast. Sending blocks only while the ring may be full.
 *
 * A cell is written by its sender only and read by its receiver only, in the receiver's inbox: one
 * line moves for each message. The receiver acknowledges cells in the cells that it sends the other
 * way (piggyback), and else in a line that the sender reads when the ring seems full. Signals and
 * cells do not wait for each other.
 *
 * Waiting spins, yields, and sleeps on the member's bell (core/wait.h), which senders ring.
 * tests/litmus/pairs.pml is the model.
 *
 * Each member has an inbox in memory of its host, of which only what is used becomes memory. Only
 * one thread at a time may call in the name of a member. The memory may go once all members have
 * returned from their last call.
 *
 * To another host goes a message of comm's for each signal, cell, and acknowledgement
 * (pairs_remote.c); its handler does there what a sender of that host does. The message arrives
 * after what the sending thread has put into memory of the same process before.
 */
#ifndef FL_SYNC_PAIRS_H
#define FL_SYNC_PAIRS_H

#include "core/assert.h"
#include "core/mutex.h"
#include "core/wait.h"
#include "space/layout.h"

#include <stddef.h>

enum {
    FL_PAIRS_CELLS = 8,                  /* in a ring; a power of two */
    FL_PAIRS_AHEAD = FL_PAIRS_CELLS / 2, /* messages not done yet that never block a sender */
    FL_PAIRS_BYTES = 56,                 /* in a cell */
};

struct fl_pairs_cell {
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t turn; /* 1 + the message's number */
    uint32_t taken; /* cells that its sender has received from the other direction's ring */
    _Alignas(8) unsigned char bytes[FL_PAIRS_BYTES];
};
_Static_assert(sizeof(struct fl_pairs_cell) == FL_CACHE_LINE, "a message is one line");

/* Signals and cells that one other member has sent to a member. */
struct fl_pairs_from {
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t signals[2]; /* sent so far, in both directions */
    _Atomic uint32_t taken; /* of the cells that this member has sent to that one */
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
    struct fl_pairs_cell away; /* the member fills it for another host */
};

/* Per process. */
struct fl_pairs {
    unsigned members;
    struct fl_wait_policy policy;
    const char *what;                /* reason of waits, if the caller has none (fl_wait_begin) */
    const unsigned *threads;         /* of the members; null: their own numbers */
    struct fl_pairs_inbox **inboxes; /* of the members; null for those of other hosts */

    /* Set by fl_pairs_connect. */
    uint64_t id;
    const struct fl_layout *layout;
    struct fl_pairs *next; /* of the hub */
};

/* The groups of a process whose members are of several hosts. */
struct fl_pairs_hub {
    struct fl_mutex mutex;
    struct fl_pairs *first;
};

/* Once, before fl_comm_connect. */
void fl_pairs_start(struct fl_pairs_hub *hub);
/* Before any member of another host sends, in each process once: `id` is the group's name in all
 * processes, while it lives. And after the last message has been received. */
void fl_pairs_connect(struct fl_pairs_hub *hub, struct fl_pairs *pairs, uint64_t id,
                      const struct fl_layout *layout);
void fl_pairs_disconnect(struct fl_pairs_hub *hub, struct fl_pairs *pairs);

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

/* The count of one direction. Both are in one line, that of the lower member, unless one member is
 * of another host: a member that waits for a signal fetches the line that it will write next. With
 * a line for each direction a round trip takes twice as long. */
static inline _Atomic uint32_t *fl_pairs_signals(const struct fl_pairs *pairs, unsigned from,
                                                 unsigned to) {
    bool lower = from < to && pairs->inboxes[from];
    return &fl_pairs_from(pairs, lower ? from : to, lower ? to : from)->signals[from > to];
}

/* What follows is called by member `me`. */

/* The slow paths, on which it waits. */
void fl_pairs_wait_slow(const struct fl_pairs *pairs, unsigned me, unsigned from);
void fl_pairs_room_slow(const struct fl_pairs *pairs, unsigned me, unsigned to);
const void *fl_pairs_await_slow(const struct fl_pairs *pairs, unsigned me, unsigned from);

/* To members of other hosts. A strict signal has arrived by the thread's next fl_comm_quiet. */
FL_COLD void fl_pairs_signal_far(const struct fl_pairs *pairs, unsigned me, unsigned to,
                                 bool strict);
FL_COLD void fl_pairs_send_far(const struct fl_pairs *pairs, unsigned me, unsigned to);
FL_COLD void fl_pairs_tell_taken_far(const struct fl_pairs *pairs, unsigned me, unsigned to);

/* Signal members of this host, as sent by any member: for senders of this host, and for handlers of
 * messages. */
static inline void fl_pairs_signal_here(const struct fl_pairs *pairs, unsigned from, unsigned to) {
    /* [Q1] pairs [Q2]; seq_cst for the bell, and because it is a strict write. */
    atomic_fetch_add_explicit(fl_pairs_signals(pairs, from, to), 1, memory_order_seq_cst);
    fl_wait_ring(&pairs->inboxes[to]->bell);
}

static inline void fl_pairs_publish_here(const struct fl_pairs *pairs, unsigned to,
                                         struct fl_pairs_cell *cell, uint32_t turn) {
    /* [Q3] pairs [Q4]; seq_cst for the bell. */
    uint32_t before = atomic_exchange_explicit(&cell->turn, turn, memory_order_seq_cst);
    fl_assert(before == 0 || before + FL_PAIRS_CELLS == turn);
    fl_wait_ring(&pairs->inboxes[to]->bell);
}

static inline void fl_pairs_tell_taken_here(const struct fl_pairs *pairs, unsigned from,
                                            unsigned to, uint32_t taken) {
    /* [Q5] pairs [Q6]: else the sender overwrites what is being read. seq_cst for the bell. */
    atomic_exchange_explicit(&fl_pairs_from(pairs, to, from)->taken, taken, memory_order_seq_cst);
    fl_wait_ring(&pairs->inboxes[to]->bell);
}

static inline bool fl_pairs_is_here(const struct fl_pairs *pairs, unsigned member) {
    return FL_LIKELY(pairs->inboxes[member] != NULL);
}

/* Sends a signal. Never blocks. On this host a full fence; releases what is on this host. */
static inline void fl_pairs_signal(const struct fl_pairs *pairs, unsigned me, unsigned to) {
    if (fl_pairs_is_here(pairs, to)) {
        fl_pairs_signal_here(pairs, me, to);
    } else {
        fl_pairs_signal_far(pairs, me, to, false);
    }
}

/* The same for a thread that calls fl_comm_quiet before each strict access: a strict write. */
static inline void fl_pairs_signal_strict(const struct fl_pairs *pairs, unsigned me, unsigned to) {
    if (fl_pairs_is_here(pairs, to)) {
        fl_pairs_signal_here(pairs, me, to);
    } else {
        fl_pairs_signal_far(pairs, me, to, true);
    }
}

/* Whether there is a signal from `from`. Acquires what came before it; seq_cst among signals. */
static inline bool fl_pairs_has(const struct fl_pairs *pairs, unsigned me, unsigned from) {
    /* [Q2] pairs [Q1]; seq_cst because it is a strict read. */
    return atomic_load_explicit(fl_pairs_signals(pairs, from, me), memory_order_seq_cst) !=
           fl_pairs_peer(pairs, me, from)->waited;
}

/* Takes one if there is one. */
static inline bool fl_pairs_try(const struct fl_pairs *pairs, unsigned me, unsigned from) {
    bool has = fl_pairs_has(pairs, me, from);
    fl_pairs_peer(pairs, me, from)->waited += has;
    return has;
}

/* Blocks until it has taken one. */
static inline void fl_pairs_wait(const struct fl_pairs *pairs, unsigned me, unsigned from) {
    if (!fl_pairs_has(pairs, me, from)) {
        fl_pairs_wait_slow(pairs, me, from);
    }
    fl_assert(fl_pairs_has(pairs, me, from));
    fl_pairs_peer(pairs, me, from)->waited++;
}

/* Blocks until it has taken one from any of the `n` members; which, as an index. Of several it is
 * the first from index `first` on. */
size_t fl_pairs_wait_any(const struct fl_pairs *pairs, unsigned me, const unsigned *from, size_t n,
                         size_t first);

static inline struct fl_pairs_cell *fl_pairs_next_out(const struct fl_pairs *pairs, unsigned me,
                                                      unsigned to) {
    uint32_t sent = fl_pairs_peer(pairs, me, to)->sent;
    return fl_pairs_is_here(pairs, to) ? &fl_pairs_from(pairs, to, me)->cells[sent % FL_PAIRS_CELLS]
                                       : &pairs->inboxes[me]->away;
}

static inline struct fl_pairs_cell *fl_pairs_next_in(const struct fl_pairs *pairs, unsigned me,
                                                     unsigned from) {
    uint32_t received = fl_pairs_peer(pairs, me, from)->received;
    return &fl_pairs_from(pairs, me, from)->cells[received % FL_PAIRS_CELLS];
}

/* FL_PAIRS_BYTES, aligned to 8, for the next message to `to`. Blocks while the ring may be full.
 * Until it is sent, the member fills no other. */
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
    if (fl_pairs_is_here(pairs, to)) {
        fl_pairs_publish_here(pairs, to, cell, peer->sent);
    } else {
        fl_pairs_send_far(pairs, me, to);
    }
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
    fl_assert(fl_pairs_peek(pairs, me, from));
    peer->room = fl_pairs_next_in(pairs, me, from)->taken;
    peer->received++;
    if (peer->received % FL_PAIRS_AHEAD == 0) {
        if (fl_pairs_is_here(pairs, from)) {
            fl_pairs_tell_taken_here(pairs, me, from, peer->received);
        } else {
            fl_pairs_tell_taken_far(pairs, me, from);
        }
    }
}

#endif
