/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Active messages between the processes of one host (von Eicken, Culler, Goldstein and Schauser
 * 1992; the terms are GASNet's): a message names a function, the handler, that runs where it
 * arrives. Short messages carry up to 16 words; medium ones also bytes, which the handler reads
 * where they arrived; long ones put their bytes where the sender says.
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

enum {
    FL_AM_ARGS = 16,
    FL_AM_HANDLERS = 256,
    FL_AM_MEDIUM = FL_INBOX_PIECE - FL_CACHE_LINE, /* most bytes of a medium message */
};

struct fl_am;

enum fl_am_kind { FL_AM_REQUEST, FL_AM_REPLY, FL_AM_KINDS };

/* A message as its handler sees it; lives as long as the handler runs. */
struct fl_am_message {
    struct fl_am *am;
    unsigned from;          /* process */
    enum fl_am_kind kind;
    unsigned n_args;
    const uint32_t *args;
    uint8_t tag;            /* the sender's */
    void *payload;          /* long: where the sender put it */
    uint64_t bytes;         /* of payload */
};

/* `context` is what was registered with the handler. */
typedef void fl_am_handler(void *context, const struct fl_am_message *message);

/* What others of the host see of a process. */
struct fl_am_inboxes {
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t bell; /* counts; sleeping threads wait for a change */
    struct fl_inbox kind[FL_AM_KINDS];
};

/* One process's part. */
struct fl_am {
    unsigned procs, me;
    bool one_thread; /* set after attach, if only one thread ever polls or sleeps */
    struct {
        uint32_t sent, read; /* messages since the last one in the other direction, if one_thread */
    } stream;
    struct fl_am_copy copy; /* its policy is set after attach, too */
    struct fl_am_inboxes *inboxes; /* [procs], shared */
    struct {
        _Alignas(FL_CACHE_LINE) _Atomic bool busy; /* a thread reads */
        struct fl_inbox_reader reader;
    } reading[FL_AM_KINDS];
    struct {
        fl_am_handler *run;
        void *context;
    } handlers[FL_AM_HANDLERS];
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
void fl_am_attach(struct fl_am *am, void *memory, unsigned procs, unsigned me);

/* Before the first poll, the same in all processes. */
void fl_am_register(struct fl_am *am, uint8_t handler, fl_am_handler *run, void *context);

/* Sends a request, not from within a handler. Blocks while the receiver has no room, and then runs
 * handlers. The payload may be changed on return. */
void fl_am_request(struct fl_am *am, unsigned to, const struct fl_am_send *send);

/* The same, but if there is no room: then false, and nothing was sent. Runs no handler: a message to
 * the sender's own process waits for its next poll. */
FL_MUST_USE bool fl_am_request_try(struct fl_am *am, unsigned to, const struct fl_am_send *send);

/* Answers the message of a running handler, once. Blocks while the receiver has no room, and then
 * runs handlers of replies. */
void fl_am_reply(const struct fl_am_message *message, const struct fl_am_send *send);

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
void fl_am_commit(struct fl_am *am, struct fl_am_room *room, const struct fl_am_send *send);
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

#endif
