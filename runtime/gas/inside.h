/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the files of this room share: the process's part of the job. A rank is a process, and to the
 * lower rooms its only thread: one segment for each. Ranks of a host follow each other.
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

/* What the ranks of a host share; begins the job area. */
struct gas_shared {
    /* Of the barrier under way: see barrier.c. */
    struct gas_stage {
        _Atomic uint32_t state;
        uint64_t said;                   /* by this host's ranks, */
        uint64_t heard[FL_ROUNDS_MOST];  /* and by others */
    } stages[2];                         /* [parity] */
    _Alignas(FL_CACHE_LINE) _Atomic uint64_t arrived;
    /* Barriers that are over << 1 | whether the names of the last one differed. */
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t over;
    uint64_t name; /* of the last barrier: what all have said; written and read as `over` is */
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t sleepers; /* ranks that sleep, or are about to */
};

/* Messages between hosts, in a call's first word. */
enum gas_wire {
    GAS_WIRE_REQUEST,
    GAS_WIRE_REPLY,
    GAS_WIRE_MORE,   /* arguments that the next message of its kind has no room for */
    GAS_WIRE_BYTES,  /* of a long reply */
    GAS_WIRE_ARRIVED, /* hosts, at the barrier */
};

/* What a handler knows of its message; lives as long as it runs. */
struct gas_token {
    const struct fl_am_message *local; /* null: from another host */
    gas_rank_t source;
    gas_handler_t handler;
    uint8_t category;
    bool is_request, replied;
};

enum { GAS_MORE_WORDS = 10 };

struct gas_process {
    struct fl_params params;
    struct fl_job job;
    struct fl_layout layout;
    struct fl_comm_attach attach;
    struct fl_space space;
    struct fl_am am; /* of this host's ranks, by their place in it */
    struct fl_wait_policy wait;
    struct gas_shared *shared;
    unsigned first; /* rank of this host */
    uint64_t teams_at; /* in the job area */
    bool started, over;
    gas_handler_function *handlers[GAS_HANDLERS_MOST];
    struct fl_mutex more; /* who sends arguments ahead */
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

/* Once. `mapped`, if there is one, runs when memory is mapped and there are no threads yet. */
void gas_start(unsigned flags, void (*mapped)(void));

FL_COLD FL_PRINTF(1, 2) _Noreturn void gas_misuse(const char *format, ...);

static inline bool gas_rank_is_here(gas_rank_t rank) {
    return rank - gas_process.first < gas_process.am.procs;
}

/* A message of `words` to another host's rank, from a handler too. */
void gas_tell(gas_rank_t to, const uint64_t *words, unsigned n_words, const void *payload,
              size_t bytes);

/* Handlers of the room's calls (messages.c, barrier.c). */
void gas_serve(void *context, const struct fl_comm_call *call);
void gas_messages_start(void);
void gas_barrier_serve(const struct fl_comm_call *call);

/* Memory of this rank that all ranks of the host see (own.c). Zeros when it is given out first. One
 * thread at a time; fatal if there is none. Any rank of the host may give it back. */
void *gas_own_allocate(uint64_t bytes);
void gas_own_free(void *memory);
uint64_t gas_own_bytes(void);
/* Holds the attached size, for others to read; whole pages of any kernel. */
enum { GAS_SEGMENT_HEAD = 64 << 10 };

/* Teams (team.c): the memory of that of all ranks, on each host, zeros at first; their start, before
 * messages may arrive; and whoever polls goes on with what is under way. True: an operation ended. */
uint64_t gas_teams_bytes(const struct fl_layout *layout);
void gas_teams_start(void *memory);
bool gas_teams_pending(void);
FL_COLD unsigned gas_teams_go_on(void);

/* An operation that has not ended (event.c). */
struct gas_event {
    struct fl_comm_op op;
    _Atomic uint32_t users;  /* its owner, and its local event */
    struct gas_event *of;    /* a local event's operation */
    struct gas_event *next;  /* in `parts` */
    struct gas_event *parts; /* of a region */
    uint64_t value;          /* what an atomic operation fetches .. */
    void *result;            /* .. goes here .. */
    size_t bytes;            /* .. cut to this */
};
struct gas_event *gas_event_new(void);
/* What the user gets: GAS_EVENT_DONE if it is. */
gas_event_t gas_event_started(struct gas_event *event);
/* The operation of which the user gets one more event. */
gas_event_t gas_event_local(struct gas_event *event);

/* On which the calling thread's next operation of a kind without an event of its own counts. */
struct fl_comm_op *gas_nbi_op(unsigned kind);

#endif
