/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Active messages between the processes of one host (von Eicken, Culler, Goldstein and Schauser
 * 1992; the terms are GASNet's): a message names a function, the handler, that runs where it
 * arrives. The names are numbers, whose functions only the room above knows. Short messages
 * carry up to 16 words; medium ones also bytes, which the handler reads where they arrived; long
 * ones put their bytes where the sender says.
 *
 * Requests and replies have inboxes of their own. A handler of a request may reply once and sends
 * nothing else; a handler of a reply sends nothing. While a request waits for room its sender reads
 * both of its own inboxes; while a reply waits, only that of replies. So replies are always read,
 * and any process may send to any other without deadlock (tests/litmus/am.pml).
 *
 * Handlers run in whichever thread of the process polls, one at a time for each inbox. A message to
 * a thread's own process is no message: its handler is called in place, with the sender's bytes.
 */
#ifndef FL_AM_AM_H
#define FL_AM_AM_H

#include "am/copy.h"
#include "am/inbox.h"

#include <string.h>

enum {
    FL_AM_ARGS = 16,
    FL_AM_STREAM_LEAST = 16, /* messages sent without one read in between: see am.c */
    FL_AM_MEDIUM = FL_INBOX_PIECE - FL_CACHE_LINE, /* most bytes of a medium message */
};

struct fl_am;

enum fl_am_kind { FL_AM_REQUEST, FL_AM_REPLY, FL_AM_KINDS };

/* What a message is, apart from its content; small enough for a register. */
struct fl_am_head {
    uint16_t from;        /* process */
    uint8_t handler, tag; /* the sender's */
    enum fl_am_kind kind; /* as wide as the rest: a register is put together without memory */
};

/* Runs the handler of a message that has arrived. Arguments and payload are valid until it returns;
 * of a long message, the payload is where the sender has put it. */
typedef void fl_am_deliver(struct fl_am *am, struct fl_am_head head, const uint32_t *args,
                           unsigned n_args, void *payload, uint64_t bytes);

/* What others of the host see of a process. */
struct fl_am_inboxes {
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t bell; /* counts; sleeping threads wait for a change */
    _Atomic uint32_t owner; /* process + 1; 0: it has not attached yet */
    struct fl_inbox kind[FL_AM_KINDS];
};

/* One process's part. */
struct fl_am {
    unsigned procs, me;
    bool one_thread; /* set after attach, if only one thread ever polls or sleeps */
    struct {
        /* Messages since the last one in the other direction; 0 if not one_thread. */
        uint32_t sent, read;
    } stream;
    struct fl_am_copy copy; /* its policy is set after attach, too */
    struct fl_am_inboxes *inboxes; /* [procs], shared */
    /* Relaxed: where a thread has sent last; any value is right. */
    _Atomic(struct fl_am_inboxes *) recent;
    struct fl_am_reading {
        _Alignas(FL_CACHE_LINE) _Atomic bool busy; /* a thread reads */
        enum fl_am_kind kind;
        struct fl_inbox *box;
        struct fl_inbox_reader reader;
    } reading[FL_AM_KINDS];
    fl_am_deliver *deliver;
};

/* What to send. `payload` may be null if `bytes` is 0. `address` is where the bytes of a long
 * message go, memory that both processes have at the same address; if there are none, any value,
 * which the handler gets. They may be there already, when `payload` is the address. */
struct fl_am_send {
    uint8_t handler;
    uint8_t n_args;
    uint8_t tag; /* for the handler; means nothing here */
    bool is_long;
    const uint32_t *args;
    const void *payload;
    uint64_t bytes;
    void *address;
};

/* Bytes of shared memory for `procs` processes; they start as zeros, aligned to a cache line. */
uint64_t fl_am_bytes(unsigned procs);

/* In each process, before use. */
void fl_am_attach(struct fl_am *am, void *memory, unsigned procs, unsigned me,
                  fl_am_deliver *deliver);

/* Sends a request, not from within a handler, or answers the message of a running one, once. Blocks
 * while the receiver has no room, and then runs handlers: of a reply that waits, only those of
 * replies. The payload may be changed on return. */
static inline __attribute__((always_inline)) void fl_am_send_to(struct fl_am *am, unsigned to,
                                                                enum fl_am_kind kind,
                                                                struct fl_am_send send);

/* A request, but if there is no room: then false, and nothing was sent. Runs no handler: a message
 * to the sender's own process waits for its next poll. */
FL_MUST_USE bool fl_am_request_try(struct fl_am *am, unsigned to, struct fl_am_send send);

/* A medium message that the sender writes in place, `bytes` long at most; also to the sender's own
 * process, where the next poll finds it. Between the two calls the sender does nothing that blocks:
 * all later messages to that process wait. Of `send`, payload and address are not used. */
struct fl_am_room {
    struct fl_inbox_room inbox;
    unsigned to;
    void *payload; /* to be written */
};
void fl_am_prepare(struct fl_am *am, unsigned to, enum fl_am_kind kind, uint64_t bytes,
                   struct fl_am_room *room);
/* The same, but if there is no room: then false, and nothing has been prepared. */
FL_MUST_USE bool fl_am_prepare_try(struct fl_am *am, unsigned to, enum fl_am_kind kind,
                                   uint64_t bytes, struct fl_am_room *room);
void fl_am_commit(struct fl_am *am, struct fl_am_room *room, struct fl_am_send send);
/* Instead of it: no handler will run. */
void fl_am_cancel(struct fl_am *am, struct fl_am_room *room);

/* Runs the handlers of messages that have arrived; returns how many. Never blocks. Not from within
 * a handler. */
unsigned fl_am_poll(struct fl_am *am);

/* Sleeps until a message arrives or the time is over; returns at once if a message may have. May
 * return early: callers poll, look whether they still want to sleep, and come again. Any thread. */
void fl_am_sleep(struct fl_am *am, uint64_t timeout_ns);

/* Ends another process's sleep: something else has happened for which it may wait. */
void fl_am_wake(struct fl_am *am, unsigned proc);

/* ---- messages that fit into a line ----
 * Inline, so that handler, arguments and payload go from their sender's registers into the line. */

/* The word of a line at which a payload may begin: aligned to 8 bytes. */
static inline unsigned fl_am_payload_word(unsigned n_words) {
    return (n_words + 1) & ~1u;
}

static inline bool fl_am_fits_into_line(struct fl_am_send send) {
    return fl_am_payload_word(send.n_args) * sizeof(uint32_t) + send.bytes <=
               FL_INBOX_WORDS * sizeof(uint32_t) &&
           !send.is_long;
}

static inline void fl_am_fill_line(struct fl_inbox_line *line, struct fl_am_send send) {
    for (unsigned i = 0; i < send.n_args; i++) {
        line->words[i] = send.args[i];
    }
    if (send.bytes) {
        memcpy(&line->words[fl_am_payload_word(send.n_args)], send.payload, send.bytes);
    }
    line->n_words = send.n_args;
}

/* Wakes the threads of a process that sleep. */
FL_COLD void fl_am_ring(struct fl_am_inboxes *inboxes);

/* A process often sends where it sent last. Then the address comes from a branch, and not from
 * the message, so that the processor sends for the reply's line before the message is here. */
static inline struct fl_am_inboxes *fl_am_inboxes_of(struct fl_am *am, unsigned to) {
    struct fl_am_inboxes *inboxes = atomic_load_explicit(&am->recent, memory_order_relaxed);
    /* Relaxed: it changes once, to what it is compared with. */
    if (FL_UNLIKELY(atomic_load_explicit(&inboxes->owner, memory_order_relaxed) != to + 1)) {
        inboxes = &am->inboxes[to];
        atomic_store_explicit(&am->recent, inboxes, memory_order_relaxed); /* as above */
    }
    return inboxes;
}

static inline void fl_am_publish(struct fl_am *am, struct fl_am_inboxes *to,
                                 const struct fl_inbox_room *room, struct fl_am_send send) {
    room->line->from = (uint16_t)am->me;
    room->line->handler = send.handler;
    room->line->tag = send.tag;
    room->line->bytes = send.bytes;
    fl_inbox_publish(room);
    if (FL_UNLIKELY(room->marked)) {
        fl_am_ring(to);
    }
    if (am->one_thread) {
        am->stream.read = 0;
        am->stream.sent++;
    }
}

/* Whether more messages are likely to follow. */
static inline bool fl_am_sends_stream(const struct fl_am *am) {
    return FL_UNLIKELY(am->stream.sent > FL_AM_STREAM_LEAST);
}

/* Messages of all other kinds; and if the receiver has no room. */
bool fl_am_send_slowly(struct fl_am *am, unsigned to, enum fl_am_kind kind, struct fl_am_send send,
                       bool wait);

static inline __attribute__((always_inline)) void fl_am_send_to(struct fl_am *am, unsigned to,
                                                                enum fl_am_kind kind,
                                                                struct fl_am_send send) {
    struct fl_am_inboxes *inboxes = fl_am_inboxes_of(am, to);
    struct fl_inbox_room room;
    if (FL_LIKELY(fl_am_fits_into_line(send) && to != am->me) &&
        FL_LIKELY(fl_inbox_reserve(&inboxes->kind[kind], 0, fl_am_sends_stream(am), &room) ==
                  FL_OK)) {
        fl_am_fill_line(room.line, send);
        fl_am_publish(am, inboxes, &room, send);
    } else {
        /* A copy, or the compiler puts the structure together before it knows. */
        struct fl_am_send other = {send.handler, send.n_args,  send.tag,   send.is_long,
                                   send.args,    send.payload, send.bytes, send.address};
        (void)fl_am_send_slowly(am, to, kind, other, true);
    }
}

#endif
