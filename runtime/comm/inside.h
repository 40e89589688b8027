/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the files of this room share: the messages between processes, the requests that wait for an
 * answer, and the right to use the transport.
 *
 * A transport has one user at a time: the thread that has entered. Handlers run in that thread, and
 * send without entering again. Requests wait for room outside; answers never wait, so that a
 * process which waits for room still serves the others, and no process waits for ever.
 */
#ifndef FL_COMM_INSIDE_H
#define FL_COMM_INSIDE_H

#include "comm/comm.h"
#include "core/assert.h"
#include "core/fatal.h"
#include "core/mutex.h"

#include <stddef.h>
#include <string.h>

enum fl_comm_kind {
    FL_COMM_KIND_PUT = 1, /* address; cookie, if its end is to be confirmed */
    FL_COMM_KIND_RECORDS, /* writes and updates: a batch; what and words: of a tell behind it;
                             cookie: as of a put */
    FL_COMM_KIND_SET,    /* address, bytes; what: the byte */
    FL_COMM_KIND_COPY,   /* to, from, bytes */
    FL_COMM_KIND_ENDED,  /* cookie and words: requests that have ended */
    FL_COMM_KIND_GET,    /* address, bytes */
    FL_COMM_KIND_GETS,   /* a list */
    FL_COMM_KIND_PIECES, /* what the list names */
    FL_COMM_KIND_GATHER, /* bytes of each element; a list of addresses */
    FL_COMM_KIND_ELEMENTS,
    FL_COMM_KIND_DATA,   /* offset in the bytes that the cookie has requested */
    FL_COMM_KIND_ATOMIC, /* address, a, b */
    FL_COMM_KIND_VALUE,  /* the old one */
    FL_COMM_KIND_TELL,   /* what: the handler; its first word is the cookie */
    FL_COMM_KIND_ASK,
    FL_COMM_KIND_ANSWER,
    FL_COMM_KIND_CREDIT, /* bytes of tells that have been read */
    FL_COMM_KIND_PING,
    FL_COMM_KIND_PONG,
    FL_COMM_KIND_BYE,    /* the sender ends: its silence is no failure */
    FL_COMM_KIND_KEY_ASKED, /* address of a chunk of memory */
    FL_COMM_KIND_KEY,       /* the same; its key, or nothing */
    FL_COMM_KINDS
};

struct fl_comm_message {
    uint64_t job_id;
    uint8_t kind, n_words, what, type;
    uint32_t from;
    union {
        struct {
            uint64_t cookie;
            uint64_t words[FL_COMM_WORDS]; /* n_words of them travel */
        };
        uint64_t told[1 + FL_COMM_WORDS]; /* a tell's words: it has no answer, so no cookie */
    };
};
enum { FL_COMM_HEAD = offsetof(struct fl_comm_message, words) };
_Static_assert(FL_COMM_HEAD == 24 && sizeof(struct fl_comm_message) <= FL_NET_HEADER_BYTES,
               "a message's header fits");

/* A request that awaits an answer. Its cookie is the index and the generation, so that an answer to
 * no request is noticed. */
struct fl_comm_request {
    struct fl_comm_op *op;
    void *to;       /* a get's memory, an atomic's old value, an ask's answer */
    uint64_t bytes; /* of a get, still to come */
    uint64_t all;   /* of a get */
    uint32_t charge;
    uint32_t proc;
    uint32_t generation;
    uint16_t next_free; /* plus 1; 0: the next one in the table, as this one was never used */
    uint8_t kind;
};
enum { FL_COMM_REQUESTS = 4096, FL_COMM_NO_REQUEST = FL_COMM_REQUESTS };

struct fl_comm_batch;  /* small writes to a process that have not been sent, */
struct fl_aggregate;   /* and all of a thread's */
struct fl_one_sided;

/* Whether transfers to a process may be one-sided. */
enum fl_comm_reach { FL_COMM_REACH_UNKNOWN, FL_COMM_REACH_DIRECT, FL_COMM_REACH_MESSAGES };

struct fl_comm_peer {
    uint32_t in_flight; /* bytes of requests that have not ended */
    uint32_t owed;      /* bytes of its tells read here, for which no credit was sent yet */
    uint32_t transfers; /* by messages, that have not ended */
    uint32_t waiting;   /* threads that wait until they may send a message */
    _Atomic uint8_t reach; /* enum fl_comm_reach; changes once */
    bool talked;        /* something was sent to it, or came from it */
    bool heard;         /* something came from it since the last heartbeat */
    bool ended, lost;
};

/* A call to this very process, made by a handler: runs when that has returned. */
struct fl_comm_own_call;

struct fl_comm_state {
    struct fl_comm_setup setup;
    struct fl_wait_policy wait; /* of threads that wait here */
    struct fl_net *net;
    unsigned procs, me;
    uint32_t *proc_of; /* [thread] */
    uint32_t window;
    size_t payload_most;

    struct fl_mutex mutex;
    _Atomic uint32_t wanting; /* threads that want to enter: pollers stand back */

    /* For the thread that has entered: */
    struct fl_comm_peer *peers;
    struct fl_comm_request *requests;
    uint16_t free;
    uint32_t sent; /* payloads that the transport has read; not used, as answers confirm more */
    struct fl_comm_message ended; /* confirmations to be sent to ended_to */
    unsigned ended_to;
    unsigned n_ended;
    struct fl_comm_batch *spare;
    struct fl_one_sided *one_sided;  /* null: all transfers are messages */
    struct fl_aggregate *aggregates; /* of all threads */
    uint64_t look_ns;                /* when to look for old batches */
    struct fl_comm_deferred *deferred;
    struct fl_comm_own_call *own_first, **own_last;
    void *aligned; /* room for the payload of a call */
    struct {
        fl_comm_handler *run;
        void *context;
        bool only_moves; /* payloads, which need not be aligned */
    } handlers[FL_COMM_HANDLERS];
    bool ending;
    uint64_t dropped; /* messages of other jobs */
    struct fl_comm_traffic traffic;

    struct {
        _Atomic uint64_t polled_ns; /* when another thread polled last */
        uint64_t put_off_ns;        /* when its alarm was set last */
        _Atomic bool guarding;      /* sleeps on the transport's descriptor */
        _Atomic uint32_t over;      /* a wait word */
        _Atomic bool stop;
        int bell, alarm;
        _Atomic bool rest; /* a thread that polled goes to sleep */
    } progress;
    struct {
        uint64_t next_ns; /* when to ping */
        struct fl_comm_pinged {
            unsigned proc;
            uint64_t heard_ns;
        } *pinged;
        unsigned n;
        uint64_t lost_ns; /* when the first process was lost; 0: none is */
        unsigned lost;
        char why[128];
    } pulse;
};
extern struct fl_comm_state fl_comm_state;

FL_COLD _Noreturn void fl_comm_no_thread(uint64_t address);

/* See comm.h. */
static inline unsigned fl_comm_find_proc(uint64_t address) {
    unsigned thread = fl_space_thread(fl_comm_state.setup.space, address);
    if (FL_UNLIKELY(thread >= fl_comm_state.setup.layout->threads)) {
        fl_comm_no_thread(address);
    }
    return fl_comm_state.proc_of[thread];
}

/* The calling thread runs handlers: it has entered, and must not wait. */
extern _Thread_local bool fl_comm_serving;

/* ---- the transport's user (progress.c) ---- */

FL_COLD void fl_comm_enter_slow(void);

static inline void fl_comm_enter(void) {
    if (FL_UNLIKELY(!fl_mutex_try(&fl_comm_state.mutex))) {
        fl_comm_enter_slow();
    }
}

/* Whether some thread has entered: for assertions of one that must have. */
static inline bool fl_comm_has_entered(void) {
    /* Relaxed: the calling thread's own entry is seen. */
    return atomic_load_explicit(&fl_comm_state.mutex.state, memory_order_relaxed) != 0;
}

static inline void fl_comm_leave(void) {
    fl_assert(fl_comm_has_entered());
    fl_mutex_unlock(&fl_comm_state.mutex);
}

/* Polls, tries deferred items, runs own calls, and sends confirmations. The caller has entered. */
unsigned fl_comm_serve(void);

/* Ends the progress thread's guard: it leaves polling to other threads again, as long as they do.
 * The caller has entered. */
FL_COLD void fl_comm_unguard(void);

/* The same, if it guards. For each poll and send: they may take what it sleeps for. */
static inline void fl_comm_wake_progress(void) {
    /* Relaxed: written only by the thread that has entered. */
    if (FL_UNLIKELY(
            atomic_load_explicit(&fl_comm_state.progress.guarding, memory_order_relaxed))) {
        fl_comm_unguard();
    }
}

void fl_comm_progress_start(void);
void fl_comm_progress_stop(void);

/* One step of a loop that waits: polls; if nothing came, lets other threads have the CPU. */
struct fl_comm_patience {
    uint32_t idle;
};
void fl_comm_idle(struct fl_comm_patience *patience);

/* ---- requests (request.c) ---- */

void fl_comm_flush_to(unsigned proc);
/* The same, with the handler and the words of a tell that is to run behind the batch; false: there
 * is none. */
bool fl_comm_flush_with(unsigned proc, struct fl_comm_message *tell);

/* The bytes that a message counts for: as much as it costs where it waits. */
enum { FL_COMM_MESSAGE_COST = 128 };
static inline uint32_t fl_comm_cost(size_t bytes) {
    return (uint32_t)bytes + FL_COMM_MESSAGE_COST;
}

/* Enters when there is room for `charge` on the way to `proc`, a free request, and no one-sided
 * transfer that the message could overtake. Not while serving. */
void fl_comm_enter_with_room(unsigned proc, uint32_t charge);
/* The same in two steps, for a thread that has entered; the second leaves and enters again. */
bool fl_comm_has_room(unsigned proc, uint32_t charge);
FL_COLD void fl_comm_await_room(unsigned proc, uint32_t charge);

/* The same for a message that must follow the thread's batch to that process. */
static inline void fl_comm_enter_in_order(unsigned proc, uint32_t charge) {
    fl_comm_flush_to(proc);
    fl_comm_enter_with_room(proc, charge);
}

/* Memory of zeros, which is there, or the job ends: `what` for. */
void *fl_comm_allocate(size_t n, size_t size, const char *what);

/* As fl_comm_op_begin, of an operation on a process's memory, by the thread that starts it: of its own
 * ones it is noted where they go. */
void fl_comm_begin_towards(unsigned proc, struct fl_comm_op *op);

/* A new request, where one is free; its cookie, for a message. */
struct fl_comm_request *fl_comm_request_new(unsigned proc, enum fl_comm_kind kind, uint32_t charge,
                                            struct fl_comm_op *op);
uint64_t fl_comm_cookie(const struct fl_comm_request *request);

/* The request becomes a tell of so many bytes, which has no answer. */
void fl_comm_request_to_tell(struct fl_comm_request *request, size_t bytes);

/* The request of an answer; fatal if the sender was not asked that. */
struct fl_comm_request *fl_comm_request_of(const struct fl_comm_message *m, enum fl_comm_kind kind);
void fl_comm_request_end(struct fl_comm_request *request);

/* ---- messages (comm.c) ---- */

/* The caller has entered. See fl_net_ops.send for the payload; *done is of no use to callers. */
void fl_comm_send(unsigned to, struct fl_comm_message *m, const void *payload, size_t bytes,
                  bool in_place);

/* Confirms to the sender that its request has ended: soon, together with others. */
void fl_comm_send_ended(const struct fl_comm_message *m);
void fl_comm_flush_ended(void);

/* What a message that has no answer counted for is given back to its sender, soon. */
void fl_comm_give_back(unsigned proc, size_t bytes);

/* Fatal, unless all of it is in this host's segments. */
FL_COLD _Noreturn void fl_comm_out_of_bounds(const struct fl_comm_message *m, uint64_t address,
                                             uint64_t bytes);
static inline void *fl_comm_checked(const struct fl_comm_message *m, uint64_t address,
                                    uint64_t bytes) {
    uint64_t offset = address - fl_comm_here.base;
    if (FL_UNLIKELY(offset > fl_comm_here.bytes || bytes > fl_comm_here.bytes - offset)) {
        fl_comm_out_of_bounds(m, address, bytes);
    }
    return (void *)(uintptr_t)address;
}
FL_COLD _Noreturn void fl_comm_bad(const struct fl_comm_message *m, const char *why);

/* "process 3 on host b (10.0.0.2)" */
struct fl_comm_name {
    char text[160];
};
struct fl_comm_name fl_comm_name(unsigned proc);

/* ---- what serves each kind ---- */

typedef void fl_comm_server(const struct fl_comm_message *m, const void *payload, size_t bytes);
fl_comm_server fl_comm_serve_put, fl_comm_serve_records, fl_comm_serve_set, fl_comm_serve_copy,
    fl_comm_serve_get, fl_comm_serve_gets, fl_comm_serve_pieces, fl_comm_serve_gather,
    fl_comm_serve_elements, fl_comm_serve_data,
    fl_comm_serve_atomic, fl_comm_serve_value, fl_comm_serve_tell, fl_comm_serve_ask,
    fl_comm_serve_answer, fl_comm_serve_credit, fl_comm_serve_ended, fl_comm_serve_key_asked,
    fl_comm_serve_key;

/* ---- updates at their target (atomic.c) ---- */

/* The code of an update in a record, of eight bits; no update has that of puts. */
static inline unsigned fl_comm_update_code(enum fl_comm_update how, enum fl_comm_atomic what,
                                           enum fl_comm_type type) {
    return (unsigned)how << 7 | (unsigned)what << 3 | (unsigned)type;
}
enum { FL_COMM_RECORD_PUT = 0 };

static inline size_t fl_comm_type_bytes(enum fl_comm_type type) {
    static const uint8_t bytes[] = {
        [FL_COMM_I32] = 4, [FL_COMM_U32] = 4, [FL_COMM_I64] = 8, [FL_COMM_U64] = 8,
        [FL_COMM_F32] = 4, [FL_COMM_F64] = 8, [FL_COMM_U8] = 1,  [FL_COMM_U16] = 2,
    };
    return bytes[type];
}

/* Whether there are plain updates of the kind. */
static inline bool fl_comm_is_plain(enum fl_comm_atomic what) {
    return what == FL_COMM_ADD || what == FL_COMM_SUB ||
           (what >= FL_COMM_AND && what <= FL_COMM_XOR);
}

/* Performs an update of a message, of neighbours, whose operands have so many bytes together. */
void fl_comm_apply(const struct fl_comm_message *m, unsigned code, void *to, const void *operands,
                   size_t bytes);

/* ---- one-sided transfers (one_sided.c) ---- */

struct fl_comm_transfer {
    uint64_t address;
    const void *from; /* of a put; null: a get */
    void *to;
    size_t bytes;
    bool is_copied; /* its source, of any size; and it may become part of a batch instead */
    struct fl_comm_op *op;
};

/* Begins to perform the transfer without the target's CPU: how many bytes of it, from the first
 * one. The rest, often all, is to go by messages. Where comm->one_sided is not null; the caller has
 * not entered. */
size_t fl_comm_begin_one_sided(const struct fl_comm_transfer *transfer);

/* Whether all transfers to an address of another process are messages. */
static inline bool fl_comm_by_messages(uint64_t address) {
    /* Relaxed: a thread that sees it late asks again. */
    return FL_LIKELY(!fl_comm_state.one_sided) ||
           atomic_load_explicit(&fl_comm_state.peers[fl_comm_find_proc(address)].reach,
                                memory_order_relaxed) == FL_COMM_REACH_MESSAGES;
}

static inline size_t fl_comm_try_one_sided(const struct fl_comm_transfer *transfer) {
    return fl_comm_by_messages(transfer->address) ? 0 : fl_comm_begin_one_sided(transfer);
}

/* Whether there are such transfers that have not ended: to the process, or at all. The caller has
 * entered. */
bool fl_comm_one_sided_pending(unsigned proc);
bool fl_comm_one_sided_any(void);

void fl_comm_one_sided_start(void);
void fl_comm_one_sided_stop(void);
void fl_comm_one_sided_ended(void *context, void *token);

/* ---- signalling puts (quiet.c) ---- */

/* The calling thread's batch for the process, whose writes count on `op`, leaves with a signal behind it.
 * True: it has no confirmation of its own, which is noted. */
bool fl_comm_leaves_unconfirmed(unsigned proc, const struct fl_comm_op *op);

/* ---- message aggregation (aggregate.c) ---- */

/* A record: address, code and number of bytes in one word; then the bytes, padded to whole
 * words. */
enum { FL_COMM_RECORD_MOST = 1 << 10, FL_COMM_ADDRESS_BITS = 46, FL_COMM_RECORD_BITS = 10 };
_Static_assert((int)FL_SPACE_LOG2 < (int)FL_COMM_ADDRESS_BITS, "an address fits into a record");

/* memcpy, in place for the sizes that most elements have: the call costs more than these. */
static inline void fl_comm_copy_small(void *to, const void *from, size_t bytes) {
    switch (bytes) {
    case 4:
        memcpy(to, from, 4);
        break;
    case 8:
        memcpy(to, from, 8);
        break;
    default:
        memcpy(to, from, bytes);
    }
}

static inline uint64_t fl_comm_record(uint64_t address, unsigned code, size_t bytes) {
    fl_assert(bytes > 0 && bytes <= FL_COMM_RECORD_MOST && address >> FL_COMM_ADDRESS_BITS == 0);
    return address | (uint64_t)(bytes - 1) << FL_COMM_ADDRESS_BITS |
           (uint64_t)code << (FL_COMM_ADDRESS_BITS + FL_COMM_RECORD_BITS);
}
/* The growth of a record's word by so many bytes more. */
static inline uint64_t fl_comm_record_more(size_t bytes) {
    return (uint64_t)bytes << FL_COMM_ADDRESS_BITS;
}
static inline uint64_t fl_comm_record_address(uint64_t record) {
    return record & ((1ull << FL_COMM_ADDRESS_BITS) - 1);
}
static inline size_t fl_comm_record_bytes(uint64_t record) {
    return (record >> FL_COMM_ADDRESS_BITS) % FL_COMM_RECORD_MOST + 1;
}
static inline unsigned fl_comm_record_code(uint64_t record) {
    return (unsigned)(record >> (FL_COMM_ADDRESS_BITS + FL_COMM_RECORD_BITS));
}

void fl_comm_aggregate_start(void);
void fl_comm_aggregate_stop(void);

/* Sends the calling thread's batches; those of threads without their own; the calling thread's to one
 * process. The caller has not entered. */
void fl_comm_flush_own(void);
void fl_comm_flush_common(void);
void fl_comm_flush_to(unsigned proc);
/* The same, with the handler and the words of a tell that is to run behind the batch; false: there
 * is none. */
bool fl_comm_flush_with(unsigned proc, struct fl_comm_message *tell);

/* Sends the batches that are old, and returns when the next one may be. The caller has entered. */
uint64_t fl_comm_flush_old(uint64_t now_ns);
/* Whether any is open. The caller has entered. */
bool fl_comm_has_batches(void);
uint64_t fl_comm_batch_bytes(unsigned procs);

/* As fl_comm_poll, but the thread goes on writing: its batches stay. */
unsigned fl_comm_poll_messages(void);

/* ---- calls of handlers (call.c) ---- */

/* Runs the handler that the message names. */
void fl_comm_run_handler(const struct fl_comm_message *m, const void *payload, size_t bytes);
void fl_comm_run_own_calls(void);

/* ---- the hosts' heartbeat (pulse.c) ---- */

void fl_comm_pulse_start(void);
/* Sends pings that are due, and looks for silent hosts; returns when to do so again. The caller has
 * entered. */
uint64_t fl_comm_pulse(uint64_t now_ns);
void fl_comm_lost(void *context, unsigned peer, const char *why);

#endif
