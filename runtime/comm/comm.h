/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Communication of a process with all others of its job, in global addresses and process numbers:
 * transfers to and from segments, atomic operations on them, and calls of handlers in other
 * processes. What is on this host is done in place, by loads, stores and the CPU's atomics; the
 * rest goes to the process of the thread that has the address, as messages of a transport. Every
 * message carries the job's number, and one that does not is dropped unread.
 *
 * Transfers of one thread to and from one address take effect in the order in which they were
 * started, but that a put may overtake a get of more than FL_COMM_COPIED bytes; those of different
 * addresses in any order. Any thread of the process may call everything here, but for what a
 * handler may not.
 *
 * Progress: threads that wait here poll. While no thread does, a thread of comm's own sleeps on the
 * transport and serves the others' requests.
 */
#ifndef FL_COMM_COMM_H
#define FL_COMM_COMM_H

#include "comm/read_cache.h"
#include "core/mutex.h"
#include "core/wait.h"
#include "net/net.h"
#include "space/layout.h"
#include "space/space.h"

/* When transfers are one-sided: performed by the transport without the target's CPU. */
enum fl_one_sided_use {
    FL_ONE_SIDED_NEVER,
    FL_ONE_SIDED_ALWAYS, /* also where the transport only imitates them */
    FL_ONE_SIDED_DIRECT, /* where the hardware performs them */
};

struct fl_comm_setup {
    const struct fl_space *space;
    const struct fl_layout *layout;
    const struct fl_net_ops *net; /* null on one host */
    const char *interface;        /* null: the transport's choice */
    uint64_t job_id;              /* messages of other jobs do not have it; no secret */
    const unsigned char *key;     /* for the transport */
    const char *(*host_name)(unsigned host); /* for messages */
    uint32_t patience_ms;         /* a host silent for so long is lost; 0: never */
    uint32_t window_bytes;        /* most that is on its way to one process; 0: chosen */
    uint32_t aggregate_bytes;     /* of small writes to a process, which are then sent; 0: each at once */
    uint64_t aggregate_ns;        /* and when they are as old */
    uint32_t few_signals;         /* signalling puts between fences: fewer are confirmed each; 0: all are */
    enum fl_one_sided_use one_sided;
};

/* Once; then the cards of all processes are exchanged; then fl_comm_connect, which is told how the
 * threads wait. Fatal on failure. Handlers are registered before connect: messages may arrive from
 * then on. */
void fl_comm_start(const struct fl_comm_setup *setup, struct fl_net_card *card);
void fl_comm_connect(const struct fl_net_card *(*card_of)(void *context, unsigned proc),
                     void *context, struct fl_wait_policy wait);
/* After the last message of all processes; nothing may follow. */
void fl_comm_stop(void);

/* Whether the address is memory of this host: one comparison. True until comm starts. */
extern struct fl_comm_here {
    uint64_t base, bytes;
    bool one_host; /* everything is here */
} fl_comm_here;

static inline bool fl_comm_is_here(uint64_t address) {
    return address - fl_comm_here.base < fl_comm_here.bytes;
}

/* The process of the thread that has an address of shared memory. */
unsigned fl_comm_proc_of(uint64_t address);

/* Counts the transfers started on it that have not ended yet. Starts as zeros; may be used again
 * and again, by one thread at a time, and must live until they have ended. */
struct fl_comm_op {
    _Atomic uint32_t pending;
};

/* The same for transfers that any threads of the process start and wait for. Starts as zeros. New ones
 * count in turns on one of two operations, so that the other's number comes to zero. */
struct fl_comm_group {
    struct fl_comm_op turns[2];
    _Atomic uint32_t turn;
    struct fl_mutex waits; /* held by the thread that waits */
};

/* Starts a transfer of `bytes`, which are of one thread's segment. Private memory that is written
 * or read in place stays untouched by the caller until the operation has ended; `from` of a put of
 * at most FL_COMM_COPIED bytes may be changed on return. A put has ended when every thread would
 * read it. May block for room, and then polls. */
enum { FL_COMM_COPIED = 256 };
void fl_comm_put_nb(uint64_t to, const void *from, size_t bytes, struct fl_comm_op *op);
void fl_comm_get_nb(void *to, uint64_t from, size_t bytes, struct fl_comm_op *op);
void fl_comm_set_nb(uint64_t to, int byte, size_t bytes, struct fl_comm_op *op);
/* From segment to segment; overlapping is allowed within one host. Through this process only if
 * the two are on different hosts and neither is here. */
void fl_comm_copy_nb(uint64_t to, uint64_t from, size_t bytes, struct fl_comm_op *op);

/* Blocks until all transfers of the operation have ended. Acquires what gets read. */
void fl_comm_wait(struct fl_comm_op *op);
/* Polls once; whether they have. */
bool fl_comm_test(struct fl_comm_op *op);

/* The same without polling. */
static inline bool fl_comm_has_ended(struct fl_comm_op *op) {
    /* [C2] pairs [C1], [C3]. */
    return atomic_load_explicit(&op->pending, memory_order_acquire) == 0;
}

/* Let an operation of another room count on `op`: begin adds one pending operation, end removes it.
 * Any thread may call fl_comm_op_end; the thread that waits may free `op` before it returns. */
void fl_comm_op_begin(struct fl_comm_op *op);
void fl_comm_op_end(struct fl_comm_op *op);

/* The operation on which a new transfer of the group counts. */
struct fl_comm_op *fl_comm_group_op(struct fl_comm_group *group);
/* As fl_comm_wait and fl_comm_test, for all that was started before: by the calling thread, and by
 * others that it has synchronised with. */
void fl_comm_group_wait(struct fl_comm_group *group);
bool fl_comm_group_test(struct fl_comm_group *group);

static inline bool fl_comm_group_ended(struct fl_comm_group *group) {
    /* [C4] pairs [C1], [C3]. */
    return (atomic_load_explicit(&group->turns[0].pending, memory_order_acquire) |
            atomic_load_explicit(&group->turns[1].pending, memory_order_acquire)) == 0;
}

/* Many small transfers: pieces of one process that follow each other share messages. The list may
 * go on return, the memory as with fl_comm_put_nb. */
struct fl_comm_piece {
    uint64_t address;
    void *memory; /* read by put, written by get */
    size_t bytes;
};
void fl_comm_put_pieces_nb(const struct fl_comm_piece *pieces, size_t n, struct fl_comm_op *op);
void fl_comm_get_pieces_nb(const struct fl_comm_piece *pieces, size_t n, struct fl_comm_op *op);

/* Reads many places of `bytes` each, at most FL_COMM_ELEMENT, wherever they are: element i of the memory
 * from the address from[i]. The list may go on return. */
enum { FL_COMM_ELEMENT = 256 };
void fl_comm_gather_nb(void *to, const uint64_t *from, size_t n, size_t bytes,
                       struct fl_comm_op *op);

/* The same, blocking. */
void fl_comm_put(uint64_t to, const void *from, size_t bytes);
void fl_comm_get(void *to, uint64_t from, size_t bytes);
void fl_comm_set(uint64_t to, int byte, size_t bytes);
void fl_comm_copy(uint64_t to, uint64_t from, size_t bytes);

/* Relaxed accesses: a put that has no handle, whose bytes are copied (more than
 * fl_comm_aggregated_most() block). fl_comm_quiet waits until the calling thread's have ended: fences, barriers
 * and strict accesses begin with it, and it drops cached relaxed reads (comm/read_cache.h).
 * Accesses of all threads of the process count together, but for threads that count alone: so a
 * thread may wait for what another has written before the two synchronised, and may end before its
 * accesses do. */
void fl_comm_put_relaxed(uint64_t to, const void *from, size_t bytes);
/* Blocks. */
void fl_comm_get_relaxed(void *to, uint64_t from, size_t bytes);
void fl_comm_get_pieces_relaxed(const struct fl_comm_piece *pieces, unsigned n);
void fl_comm_quiet(void);
/* As fl_comm_quiet, but accesses to the memory of process `proc` need only be on their way: what the
 * thread sends there next comes behind them. */
void fl_comm_quiet_elsewhere(unsigned proc);
/* As the two, but signalling puts need not have ended. */
void fl_comm_quiet_unsignalled(void);
void fl_comm_quiet_unsignalled_elsewhere(unsigned proc);
/* From now on the calling thread's relaxed accesses count alone. It must not end before them. */
void fl_comm_count_alone(void);
/* The operation on which the calling thread's next relaxed access counts. */
struct fl_comm_op *fl_comm_relaxed(void);
/* The same for a put with a signal behind it, by which its target learns that it has ended. The thread
 * waits for it by fl_comm_quiet alone (comm/quiet.c). */
struct fl_comm_op *fl_comm_signalled(void);

struct fl_comm_own {
    struct fl_comm_op op, signalled;
    bool alone;
    bool goes_to_several; /* accesses that op counts */
    unsigned proc;        /* else: where they all go */
    unsigned n_unconfirmed;
    uint64_t *unconfirmed; /* a bit for each process: signalling puts to it that signalled does not count */
    unsigned signals;      /* signalling puts since the last fence, up to the setting */
    bool seldom_fences;
};
extern _Thread_local struct fl_comm_own fl_comm_own;
extern struct fl_comm_group fl_comm_together;

/* Whether fl_comm_quiet has nothing to wait for. */
static inline bool fl_comm_is_quiet(void) {
    /* Relaxed: only its own thread adds to it; fl_comm_quiet acquires. */
    return atomic_load_explicit(&fl_comm_own.op.pending, memory_order_relaxed) == 0 &&
           atomic_load_explicit(&fl_comm_own.signalled.pending, memory_order_relaxed) == 0 &&
           fl_comm_own.n_unconfirmed == 0 &&
           fl_comm_group_ended(&fl_comm_together);
}

/* Atomic operations on naturally aligned words of 1, 2, 4 or 8 bytes, atomic with respect to those
 * of the CPUs of the word's host. Types matter for arithmetic and comparison. Returns the old
 * value. */
enum fl_comm_atomic {
    FL_COMM_GET, FL_COMM_SET, FL_COMM_CAS, FL_COMM_ADD, FL_COMM_SUB, FL_COMM_INC, FL_COMM_DEC,
    FL_COMM_MULT, FL_COMM_MIN, FL_COMM_MAX, FL_COMM_AND, FL_COMM_OR, FL_COMM_XOR,
    FL_COMM_NAND
};
enum fl_comm_type {
    FL_COMM_I32, FL_COMM_U32, FL_COMM_I64, FL_COMM_U64, FL_COMM_F32, FL_COMM_F64,
    FL_COMM_U8, FL_COMM_U16
};
/* Operands and result are the type's bits in the low bytes; b is CAS's new value, a what it
 * compares with (bitwise). */
uint64_t fl_comm_atomic(enum fl_comm_atomic what, enum fl_comm_type type, uint64_t address,
                        uint64_t a, uint64_t b);
/* The same; the old value goes to *old, unless that is null, when the operation ends. */
void fl_comm_atomic_nb(enum fl_comm_atomic what, enum fl_comm_type type, uint64_t address,
                       uint64_t a, uint64_t b, uint64_t *old, struct fl_comm_op *op);

/* A put to another host that need not leave at once. It counts on `op` as one of fl_comm_put_nb does.
 * Up to fl_comm_aggregated_most() bytes, which is FL_COMM_COPIED or more, are copied, and travel with
 * others. */
void fl_comm_put_soon_nb(uint64_t to, const void *from, size_t bytes, struct fl_comm_op *op);
size_t fl_comm_aggregated_most(void);

/* Updates: a <what>= operand, whose old value is not needed, of a place of another host, relaxed as
 * fl_comm_put_relaxed. A plain one has no alignment, need not be atomic, and adds, subtracts, or works
 * on bits. */
enum fl_comm_update { FL_COMM_PLAIN, FL_COMM_ATOMIC };
void fl_comm_update_aggregated(enum fl_comm_update how, enum fl_comm_atomic what,
                               enum fl_comm_type type, uint64_t to, uint64_t operand,
                               struct fl_comm_op *op);
/* A plain update of memory of this host, or of private memory. */
void fl_comm_update_here(enum fl_comm_atomic what, enum fl_comm_type type, void *to,
                         uint64_t operand);

/* Calls of handlers in other processes; without a transport this process is the only one. Each room
 * that has handlers lists them here. */
enum fl_comm_handler_id {
    FL_COMM_START,
    FL_COMM_BARRIER,
    FL_COMM_LOCK,
    FL_COMM_SEMAPHORE,
    FL_COMM_PAIRS,
    FL_COMM_HEAP,
    FL_COMM_COLL,
    FL_COMM_STALL,
    FL_COMM_STUCK,
    FL_COMM_LIBRARY,
    FL_COMM_GAS,
    FL_COMM_DSM,
    FL_COMM_TMK,
    FL_COMM_SPREAD,
    FL_COMM_HANDLERS
};

enum { FL_COMM_WORDS = 6 };

/* The asking process and its request: handlers that answer later keep it. */
struct fl_comm_asker {
    unsigned proc;
    uint64_t cookie; /* 0: a tell, which has no answer */
};

/* A call as its handler sees it; words and payload, aligned to 8 bytes, live as long as the handler
 * runs. */
struct fl_comm_call {
    struct fl_comm_asker asker;
    unsigned n_words;
    const uint64_t *words;
    const void *payload;
    size_t bytes;
};

/* Handlers run in whichever thread of the process polls, one at a time. They do not block; they
 * may tell, answer, and use what is on this host. */
typedef void fl_comm_handler(void *context, const struct fl_comm_call *call);
void fl_comm_register(enum fl_comm_handler_id id, fl_comm_handler *run, void *context);
/* The same for a handler that only copies the payload, which may lie anywhere then. */
void fl_comm_register_mover(enum fl_comm_handler_id id, fl_comm_handler *run, void *context);

/* Runs the handler at `proc`, which may be this process. At least one word; payload: at most
 * fl_comm_payload_most(). Does not block, except for room when called outside of handlers. */
void fl_comm_tell(unsigned proc, enum fl_comm_handler_id id, const uint64_t *words,
                  unsigned n_words, const void *payload, size_t bytes);

/* The same of a payload that is read where it is, until the handler has run. */
void fl_comm_tell_in_place(unsigned proc, enum fl_comm_handler_id id, const uint64_t *words,
                           unsigned n_words, const void *payload, size_t bytes);

/* Asks, and blocks until the answer is there. */
struct fl_comm_answer {
    uint64_t words[FL_COMM_WORDS];
    void *payload; /* room for the answer's bytes */
    size_t room;   /* more is fatal */
    size_t bytes;  /* that came */
};
void fl_comm_ask(unsigned proc, enum fl_comm_handler_id id, const uint64_t *words,
                 unsigned n_words, const void *payload, size_t bytes,
                 struct fl_comm_answer *answer);
/* The same without waiting. The answer's content is dropped; its arrival ends the operation. */
void fl_comm_ask_nb(unsigned proc, enum fl_comm_handler_id id, const uint64_t *words,
                    unsigned n_words, const void *payload, size_t bytes, struct fl_comm_op *op);
/* Once for each ask: in the handler or later, by any thread. Does not block. */
void fl_comm_answer(struct fl_comm_asker asker, const uint64_t *words, unsigned n_words,
                    const void *payload, size_t bytes);

size_t fl_comm_payload_most(void);

/* Work that a handler could not do at once: `try` is called, as a handler would be, at every poll
 * until it returns true. From then on the item is the caller's: `try` may free it or defer it anew.
 * For locks that other processes of the host hold. */
struct fl_comm_deferred {
    struct fl_comm_deferred *next;
    bool (*try)(struct fl_comm_deferred *self);
};
void fl_comm_defer(struct fl_comm_deferred *item);

/* Messages of this process to others and from them by which a thread may go on: neither those of
 * FL_COMM_STUCK nor comm's own, such as credits and pings. */
struct fl_comm_traffic {
    uint64_t sent, received;
};
/* False: something that was begun here is not a message yet, or has not had its effect. */
bool fl_comm_settled(struct fl_comm_traffic *traffic);

/* Makes progress: moves messages on, and runs the handlers of messages that have arrived; returns
 * how many. Never blocks. Not from within a handler. */
unsigned fl_comm_poll(void);

/* Whether the calling thread is in a handler of a message of another host. */
bool fl_comm_is_serving(void);

/* Bytes of a process's memory that this layer takes in a job of `procs` processes. */
uint64_t fl_comm_bytes(unsigned procs);

#endif
