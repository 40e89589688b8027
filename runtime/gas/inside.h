/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Declarations for the files of this room: the process's part of the job. A rank is a process, and
 * the lower rooms see it as one thread with one segment. The ranks of a host are consecutive.
 */
#ifndef FL_GAS_INSIDE_H
#define FL_GAS_INSIDE_H

#include "am/am.h"
#include "comm/attach.h"
#include "core/fatal.h"
#include "core/mutex.h"
#include "core/params.h"
#include "core/wait.h"
#include "furlong/gas.h"
#include "space/space.h"
#include "sync/rounds.h"

/* Shared by the ranks of a host; at the start of the job area. */
struct gas_shared {
    /* The pending barrier's state between hosts: see barrier.c. */
    struct gas_stage {
        _Atomic uint32_t state;
        uint64_t said;                   /* combined state of this host's ranks */
        uint64_t heard[FL_ROUNDS_MOST];  /* [round]: received from another host */
    } stages[2];                         /* [parity] */
    _Alignas(FL_CACHE_LINE) _Atomic uint64_t arrived;
    /* Ended barriers << 1 | whether the names of the last one differed. */
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t over;
    uint64_t name; /* all ranks' combined state at the last barrier; published by `over` */
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t sleepers; /* ranks asleep, or about to sleep */
    _Atomic bool said_late; /* a rank of this host has said that others are late to end */
    _Atomic uint32_t leaving; /* ranks of this host in gas_leave */
};

/* Kinds of messages between hosts, in the low byte of a call's first word. */
enum gas_wire {
    GAS_WIRE_REQUEST,
    GAS_WIRE_REPLY,
    GAS_WIRE_MORE,   /* excess arguments of the next message of the same kind */
    GAS_WIRE_BYTES,  /* a piece of a long reply's payload */
    GAS_WIRE_ARRIVED, /* a host's arrivals at the barrier */
};

/* A handler's view of its message; valid while the handler runs. */
struct gas_token {
    gas_rank_t source;
    gas_handler_t handler;
    uint8_t category;
    bool is_request, replied;
    bool is_away; /* the message is from another host */
};

enum { GAS_MORE_WORDS = 10 };

struct gas_process {
    struct fl_params params;
    struct fl_job job;
    struct fl_layout layout;
    struct fl_comm_attach attach;
    struct fl_space space;
    struct fl_am am; /* among this host's ranks, numbered from `first` */
    struct fl_wait_policy wait;
    struct gas_shared *shared;
    unsigned first; /* lowest rank of this host */
    uint64_t teams_at; /* offset in the job area, in bytes */
    bool started, over;
    bool stays_awake; /* waiting ranks yield their CPU, but do not sleep */
    _Atomic bool leaves; /* a thread is in gas_leave */
    uint64_t end_limit_ns; /* the job ends if other ranks end so much later; 0: it waits for them */
    gas_handler_function *handlers[GAS_HANDLERS_MOST];
    const char *exit_function; /* under whose name the program calls gas_exit */
    void (*write_place)(char *text, size_t room); /* where the program called; null: not known */
    struct fl_mutex more; /* held from a GAS_WIRE_MORE to the request that it belongs to */
    struct gas_more {
        uint32_t words[GAS_MORE_WORDS];
    } *ahead[2]; /* [kind][rank] */
    struct {
        uint32_t epoch; /* barriers notified */
        bool notified, named, mismatch;
        int id;
    } barrier;
};
extern struct gas_process gas_process;

/* Starts the process's part of the job; called once. Runs `mapped`, unless null, after the memory
 * is mapped and before the runtime starts threads. */
void gas_start(unsigned flags, void (*mapped)(void));

/* Ends the job with error R0801. */
FL_COLD FL_PRINTF(1, 2) _Noreturn void gas_misuse(const char *format, ...);

/* Ends the job, as gas_exit does; but where all ranks call it within a short time, each ends in order,
 * and the launcher sees the status of each. From any thread, and from handlers. */
_Noreturn void gas_leave(int status);

/* The barrier between hosts whose ranks are all in gas_leave. False: some are not by the deadline. */
bool gas_barrier_leave(uint64_t deadline_ns);

/* The barrier of gas_finish. Once the caller has waited for `limit_ns`, it calls gas_ends_late. */
void gas_barrier_at_end(uint64_t limit_ns);
/* Other ranks have not ended, or never will (gas.c). Both end the job if a rank's end is to do so;
 * else gas_ends_late prints a line, and gas_ends_without_others is an error. */
FL_COLD void gas_ends_late(uint64_t limit_ns);
FL_COLD _Noreturn void gas_ends_without_others(const char *what);

static inline bool gas_rank_is_here(gas_rank_t rank) {
    return rank - gas_process.first < gas_process.am.procs;
}

/* Handlers of the room's calls (messages.c, barrier.c). */
void gas_serve(void *context, const struct fl_comm_call *call);
fl_am_deliver gas_deliver;
void gas_barrier_serve(const struct fl_comm_call *call);

/* Memory in this rank's segment that all ranks of the host can access (own.c): zeros at its first
 * allocation, arbitrary later. One thread at a time allocates; fatal if there is no room. Any rank
 * of the host may free. */
void *gas_own_allocate(uint64_t bytes);
void gas_own_free(void *memory);
uint64_t gas_own_bytes(void);
/* Bytes at the segment's start that hold the attached size for other ranks; a multiple of every
 * kernel's page size. */
enum { GAS_SEGMENT_HEAD = 64 << 10 };

/* Ends the sleep of this host's ranks: something has happened for which one may wait. */
void gas_wake_sleepers(void);

/* Teams (team.c). gas_teams_bytes is the size of GAS_TEAM_ALL's memory on each host, which starts
 * as zeros; gas_teams_start runs before messages may arrive. A polling thread calls gas_teams_go_on
 * if operations are pending; it returns 1 if one has ended, else 0. */
uint64_t gas_teams_bytes(const struct fl_layout *layout);
void gas_teams_start(void *memory);
bool gas_teams_pending(void);
FL_COLD unsigned gas_teams_go_on(void);

/* A pending operation (event.c). */
struct gas_event {
    struct fl_comm_op op;
    _Atomic uint32_t users;  /* references: the operation's owner and its local event */
    struct gas_event *of;    /* of a local event: its operation */
    struct gas_event *next;  /* in `parts` */
    struct gas_event *parts; /* events that an access region or implicit operations include */
    uint64_t value;          /* the value that an atomic operation fetches, .. */
    void *result;            /* .. stored here unless null, .. */
    size_t bytes;            /* .. truncated to this many bytes */
};
struct gas_event *gas_event_new(void);
/* Whether it has ended in a test or wait. For events that gas_discard has kept. */
bool gas_event_is_over(const struct gas_event *event);
/* The event to return to the program: GAS_EVENT_DONE if the operation has ended. */
gas_event_t gas_event_started(struct gas_event *event);
/* Returns a second event for the operation, its local event. */
gas_event_t gas_event_local(struct gas_event *event);

/* Frees an object of the program's; after gas_keep_discarded only when many others have been
 * discarded, so that checks can recognise it when the program uses it again. */
void gas_discard(void *object);
void gas_keep_discarded(void);

/* The counter for the calling thread's next implicit operation of a kind. */
struct fl_comm_op *gas_nbi_op(unsigned kind);

/* Whether the thread has begun an access region and not ended it. */
bool gas_nbi_in_region(void);

#endif
