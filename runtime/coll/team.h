/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The threads that perform collective operations together, and how they meet. Knows addresses,
 * which all threads share, and the job's barrier; not what a UPC flag or a pointer-to-shared is.
 *
 * A meeting lets each thread leave a few bytes on a board and the last to arrive make something of
 * them, while nobody waits who does not need the result. Meeting n begins when n - 1 is over, that
 * is, when all threads have arrived at n - 1 and so have left n - 2 behind: two boards suffice, and
 * a thread may run ahead of the others by one meeting.
 *
 * Each host has its boards. The last to arrive on a host exchanges with the other hosts what was
 * left there, by dissemination: round k goes to the host 2^k further and comes from the one 2^k
 * before. So it waits for all hosts, all boards are alike then, and on each host the last to arrive
 * makes the same of them. A host that is ahead by a meeting cannot be ahead by two, as within one.
 */
#ifndef FL_COLL_TEAM_H
#define FL_COLL_TEAM_H

#include "space/layout.h"
#include "sync/barrier.h"

/* What a thread waits for before an operation touches data, and before it returns from it. */
enum fl_coll_sync {
    FL_COLL_NONE, /* nobody */
    FL_COLL_MINE, /* those whose data it touches, or who touch its data */
    FL_COLL_ALL   /* all threads */
};

enum { FL_COLL_SLOT_BYTES = 120, FL_COLL_ROUNDS = 20 };

/* One thread's place on a board. */
struct fl_coll_slot {
    _Alignas(2 * FL_CACHE_LINE) unsigned char bytes[FL_COLL_SLOT_BYTES];
    _Atomic uint32_t meeting; /* to which the bytes belong */
    bool used;                /* free for the operation's use, as the bytes are */
};
_Static_assert(sizeof(struct fl_coll_slot) == 2 * FL_CACHE_LINE, "two lines, which are fetched together");

/* What the threads of a host count on. */
struct fl_coll_center {
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t arrived; /* at the meeting under way */
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t over;    /* last meeting that is, << 1: a wait word */
    /* By parity and round: the last meeting of which other hosts' slots have come, << 1. */
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t came[2][FL_COLL_ROUNDS];
};

/* Per process. */
struct fl_coll_team {
    unsigned threads;
    const struct fl_layout *layout;
    uint64_t stride; /* bytes from a thread's copy of an object to the next thread's */
    const struct fl_barrier *barrier;
    struct fl_coll_center *center;
    struct fl_coll_slot *slots; /* [2][threads + 1] */
};

/* The state of one thread; starts as zeros, but for `barrier`. */
struct fl_coll_thread {
    struct fl_barrier_thread *barrier;
    uint32_t meetings; /* 31 bits, wraps */
};

/* One thread's part of one operation. */
struct fl_coll_call {
    const struct fl_coll_team *team;
    struct fl_coll_thread *thread;
    uint32_t kind; /* of its barriers: the operation's name in barrier->names */
    enum fl_coll_sync in, out;
};

/* Bytes of a host's memory that a team needs; they must start as zeros, aligned to 128. */
uint64_t fl_coll_bytes(unsigned threads);

/* In each process, before use, and before messages may arrive. */
void fl_coll_attach(struct fl_coll_team *team, void *memory, const struct fl_barrier *barrier,
                    const struct fl_layout *layout, uint64_t stride);

static inline unsigned fl_coll_me(const struct fl_coll_call *call) {
    return call->thread->barrier->me;
}

/* The copy at `thread` of what thread 0 has at `address`. */
static inline void *fl_coll_at(const struct fl_coll_call *call, const void *address,
                               unsigned thread) {
    return (char *)(uintptr_t)address + thread * call->team->stride;
}

/* Wait as call->in and call->out say. */
void fl_coll_begin(const struct fl_coll_call *call);
void fl_coll_end(const struct fl_coll_call *call);

/* Goes to the next meeting, and waits until the one before is over: its board, with a slot for each
 * thread and one more. */
struct fl_coll_slot *fl_coll_meet(const struct fl_coll_call *call);

/* A slot for the caller to write, as the operation's threads have agreed. */
static inline struct fl_coll_slot *fl_coll_write(const struct fl_coll_call *call,
                                                 struct fl_coll_slot *slots, unsigned i) {
    /* Relaxed: arriving publishes it. */
    atomic_store_explicit(&slots[i].meeting, call->thread->meetings, memory_order_relaxed);
    return &slots[i];
}

/* Leaves what was written there to the last thread, on each host, for which it is true: all slots
 * are that thread's until it ends the meeting. The others do not wait. */
bool fl_coll_arrive(const struct fl_coll_call *call);
void fl_coll_over(const struct fl_coll_call *call);

/* Waits until the meeting is over. The board may be read from then until the next one is met. */
void fl_coll_await(const struct fl_coll_call *call);

/* A meeting whose last thread has nothing to do: waits only if `wait`. */
void fl_coll_pass(const struct fl_coll_call *call, bool wait);

#endif
