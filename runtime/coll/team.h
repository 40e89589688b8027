/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The members of a team that perform collective operations together, and how they meet. Knows ranks
 * and addresses; not what a UPC flag or a pointer-to-shared is, nor which operations there are.
 *
 * Operations of a team happen in one order, the same at all members, and so do the steps of which
 * they consist: a member knows the number of a step without asking. For each step each member has a
 * cell, in which it or, if the operation's members have agreed so, one other leaves a few bytes: a
 * member that needs them waits for that cell alone. For steps that all take part in there is a
 * turn, a count of arrivals: the last to arrive does the work of all and ends the turn.
 *
 * What does not fit a cell goes to the window of the cell's member, of which each half of the ring
 * has one: steps take room in it in turn, the same at all members, and the next half is begun early
 * when it is full. Between hosts windows are larger: a half that is begun early waits for a round
 * trip, so as many steps as hide that must fit.
 *
 * Cells, turns and results are rings of FL_COLL_RING steps, two halves of FL_COLL_HALF. No member
 * begins a half before all have ended the half before the last one, so a member that writes a cell
 * knows that no other still reads what was in it. That is the only wait for members with which the
 * caller exchanges no data, and it is only for members that are a half behind.
 *
 * Each host has cells for all members. Those posted for members of other hosts travel there, all
 * that one host has for another in one message (between.c), and are read there like others. At a
 * turn the last to arrive on a host exchanges with the other hosts what was left in the cells of
 * the step, by dissemination, so all cells are alike then, and on each host the last to arrive
 * makes the same of them. A half has ended when it has on all hosts, so no cell arrives where an
 * older one is still read. And a host is sent only what a member of it waits for in that step: so
 * nothing arrives late.
 *
 * The team of all threads has a barrier of its own kind. Those split from it meet at turns.
 */
#ifndef FL_COLL_TEAM_H
#define FL_COLL_TEAM_H

#include "core/assert.h"
#include "core/mutex.h"
#include "space/layout.h"
#include "sync/barrier.h"

/* What a member waits for before an operation touches data, and before it returns from it. */
enum fl_coll_sync {
    FL_COLL_NONE, /* no member */
    FL_COLL_MINE, /* members whose data it touches, or that touch its data */
    FL_COLL_ALL,  /* all members */
    FL_COLL_SYNCS
};

enum {
    FL_COLL_CELL_BYTES = 104,
    FL_COLL_RESULT_BYTES = 48,
    FL_COLL_WINDOW_BYTES = 16 << 10,      /* on one host, and at least */
    FL_COLL_FAR_WINDOW_BYTES = 128 << 10, /* on several, if all members' together ... */
    FL_COLL_WINDOWS_BYTES = 4 << 20,      /* ... have no more than this on each */
    FL_COLL_HALF = 32,
    FL_COLL_RING = 2 * FL_COLL_HALF,
    FL_COLL_ROUNDS = 20
};

/* What one member leaves at a step, or gets. */
struct fl_coll_cell {
    _Alignas(2 * FL_CACHE_LINE) _Atomic uint32_t step; /* whose bytes these are, << 1: a wait word */
    bool used;                                         /* free for the operation's use */
    _Alignas(16) unsigned char bytes[FL_COLL_CELL_BYTES];
    _Atomic uint32_t acks; /* members that are done with the cell's member, << 1: a wait word */
};
_Static_assert(sizeof(struct fl_coll_cell) == 2 * FL_CACHE_LINE, "two lines, fetched together");

/* What the last to arrive at a step leaves for all. */
struct fl_coll_result {
    _Alignas(FL_CACHE_LINE) unsigned char bytes[FL_COLL_RESULT_BYTES];
    bool used; /* free for the operation's use */
};

struct fl_coll_center {
    /* By step: members that have arrived, << 1, and 0 when the last of them has ended the turn;
     * wait words. Those of successive steps share a line: the member that ends one turn and is the
     * first at the next, and one that sees that and is the last there, fetch the line once for
     * both. */
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t turns[FL_COLL_RING];
    _Atomic uint32_t latest[FL_COLL_RING]; /* to arrive, by step: 1 + its rank (later.c) */
    struct fl_coll_result results[FL_COLL_RING];
    struct { /* by the parity of halves */
        _Alignas(FL_CACHE_LINE) _Atomic uint32_t left; /* members that have ended it */
        _Alignas(FL_CACHE_LINE) _Atomic uint32_t over; /* the last that all have, + 1, << 1 */
    } half[2];
    /* Between hosts (between.c): by the parity of halves, the events of its end (sync/rounds.h). */
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t ends[2];
    /* By step and round: the last step whose cells of another host have arrived, << 1. */
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t came[FL_COLL_RING][FL_COLL_ROUNDS];
    _Atomic uint32_t gone; /* members that will not use it again */
};

struct fl_coll_choices;

/* The teams of a process to which cells may come from other hosts. */
struct fl_coll_hub {
    struct fl_mutex mutex;
    struct fl_coll_team *first;
    uint32_t ids; /* names that this process has given to teams */
    void (*posted)(void); /* called after cells have come, unless it is null */
};

/* Per process; of split teams, per member. */
struct fl_coll_team {
    unsigned members;
    unsigned here;           /* members of this host */
    unsigned leader;         /* one of them */
    unsigned hosts, host;    /* those with members, and this one's place among them */
    const uint32_t *threads; /* by rank; null: rank r is thread r */
    const uint32_t *hosts_of; /* by rank; null: by the layout */
    const uint32_t *procs;   /* by host: the process that cells are sent to; null: its first */
    const struct fl_layout *layout;
    uintptr_t origin; /* of thread 0's segment; */
    unsigned shift;   /* thread t's is at origin + t * stride; a shift by this gives the thread */
    uintptr_t stride;
    const struct fl_barrier *barrier; /* of the same members; null: they meet at turns */
    const char *const *names;         /* of kinds */
    const struct fl_wait_policy *wait;
    struct fl_coll_center *center;
    struct fl_coll_cell *cells; /* [members][FL_COLL_RING] */
    unsigned char *windows;     /* [members][2][window_bytes] */
    uint32_t window_bytes;
    const struct fl_coll_choices *choices;
    uint64_t id;               /* on several hosts: its name in all processes */
    struct fl_coll_hub *hub;   /* on several hosts */
    struct fl_coll_team *next; /* of the hub */
};

/* The state of one member; starts as zeros, but for `rank` and `barrier`. */
struct fl_coll_member {
    unsigned rank;
    uint32_t step; /* the last; 31 bits, wraps */
    uint32_t room; /* bytes of windows that the steps of this half have taken */
    struct fl_barrier_thread *barrier;
};

/* One member's part of one operation. */
struct fl_coll_call {
    const struct fl_coll_team *team;
    struct fl_coll_member *member;
    uint32_t kind; /* the operation's name in team->names */
    enum fl_coll_sync in, out;
    uint32_t step; /* the last that the call has begun */
    uint32_t room; /* where its bytes are in windows */
};

/* Bytes of a host's memory that a team needs, aligned to 128; how many of them, from the first, must
 * start as zeros; and those of one window. */
uint64_t fl_coll_bytes(unsigned members, unsigned hosts);
uint64_t fl_coll_zeroed_bytes(unsigned members);
uint32_t fl_coll_window_bytes(unsigned members, unsigned hosts);

/* The team of all threads, in each process, before use and before messages may arrive. `origin` is
 * where thread 0's segment begins, `stride` the distance to the next, which `shift` divides by. The
 * hub, of zeros, is needed on several hosts only. If the threads have a barrier, team->barrier is to
 * be set. */
void fl_coll_attach(struct fl_coll_team *team, void *memory, const struct fl_layout *layout,
                    uintptr_t origin, unsigned shift, uintptr_t stride, const char *const *names,
                    const struct fl_wait_policy *wait, struct fl_coll_hub *hub);

/* A name for a team of several hosts that the thread leads, which no team has had: messages of a team
 * may still be on their way to a host when another one has the memory for the next team. */
uint64_t fl_coll_new_id(struct fl_coll_hub *hub, unsigned thread);

/* Gives a team its memory, and if it has a hub, makes it known to the other hosts' cells, until it
 * is disconnected. */
void fl_coll_use(struct fl_coll_team *team, void *memory);
void fl_coll_connect(struct fl_coll_team *team);
void fl_coll_disconnect(struct fl_coll_team *team);

static inline unsigned fl_coll_me(const struct fl_coll_call *call) {
    return call->member->rank;
}

static inline unsigned fl_coll_thread(const struct fl_coll_team *team, unsigned rank) {
    return team->threads ? team->threads[rank] : rank;
}

unsigned fl_coll_rank_of_thread(const struct fl_coll_team *team, unsigned thread);

/* The member that has an address; team->members if none has. */
static inline unsigned fl_coll_rank_of(const struct fl_coll_team *team, const void *address) {
    unsigned thread = (unsigned)(((uintptr_t)address - team->origin) >> team->shift);
    return FL_LIKELY(!team->threads) ? thread : fl_coll_rank_of_thread(team, thread);
}

/* The copy at a member of what thread 0 has, or would have, at `address`. */
static inline void *fl_coll_at(const struct fl_coll_call *call, const void *address,
                               unsigned rank) {
    return (char *)(uintptr_t)address + fl_coll_thread(call->team, rank) * call->team->stride;
}

static inline unsigned fl_coll_next(const struct fl_coll_team *team, unsigned rank) {
    return rank + 1 == team->members ? 0 : rank + 1;
}

/* A member's host, by its place among those of the team. */
unsigned fl_coll_host_of(const struct fl_coll_team *team, unsigned rank);

static inline bool fl_coll_one_host(const struct fl_coll_team *team) {
    return FL_LIKELY(team->hosts == 1);
}

/* Waits for all members. Between steps: the cells of the last one are no longer valid. */
void fl_coll_barrier(struct fl_coll_call *call);

/* The slow path: the step begins a half, or takes room in windows. */
void fl_coll_step_slow(struct fl_coll_call *call, size_t bytes);

/* Begins the next step, with `bytes` for each cell: maybe too many for the cell, but not for a
 * window. May wait for members that are a half behind. */
static inline void fl_coll_step_with(struct fl_coll_call *call, size_t bytes) {
    uint32_t next = call->member->step + 1;
    if (FL_UNLIKELY(bytes > FL_COLL_CELL_BYTES || next % FL_COLL_HALF == 0)) {
        fl_coll_step_slow(call, bytes);
    } else {
        call->step = call->member->step = next;
    }
}

/* After the last operation, when all members have returned from it: waits until nothing is on its way
 * between hosts any more. */
void fl_coll_await_ends(const struct fl_coll_team *team, struct fl_coll_member *member);

static inline void fl_coll_step(struct fl_coll_call *call) {
    fl_coll_step_with(call, 0);
}

/* Begins two steps of one half, `bytes` at the first (the call's) and `second_bytes` at the second: what
 * has come at the first may be read while the second's cells are filled. */
void fl_coll_two_steps(struct fl_coll_call *call, size_t bytes, struct fl_coll_call *second,
                       size_t second_bytes);

/* A member's cell of the call's step. */
static inline struct fl_coll_cell *fl_coll_cell(const struct fl_coll_call *call, unsigned rank) {
    fl_assert(rank < call->team->members);
    return &call->team->cells[(size_t)rank * FL_COLL_RING + call->step % FL_COLL_RING];
}

/* Where a member's `bytes` of the step are: in its cell or window. */
static inline unsigned char *fl_coll_bytes_at(const struct fl_coll_call *call, unsigned rank,
                                              size_t bytes) {
    if (FL_LIKELY(bytes <= FL_COLL_CELL_BYTES)) {
        return fl_coll_cell(call, rank)->bytes;
    }
    fl_assert(rank < call->team->members && call->room + bytes <= call->team->window_bytes);
    return call->team->windows +
           ((size_t)rank * 2 + (call->step / FL_COLL_HALF & 1)) * call->team->window_bytes +
           call->room;
}

/* For the member that has filled the cell: it may be read. Releases. */
static inline void fl_coll_post(const struct fl_coll_call *call, struct fl_coll_cell *cell) {
    /* Relaxed: only the cell's writer changes the step. Once in a step. */
    fl_assert(atomic_load_explicit(&cell->step, memory_order_relaxed) >> 1 != call->step);
    fl_wait_publish(&cell->step, call->step << 1);
    /* Its readers have the next one's line in their caches: it is fetched while the caller waits. */
    fl_os_prefetch_write(cell + (call->step % FL_COLL_RING < FL_COLL_RING - 1));
}

/* Waits until a word is `value`, and acquires what was released with it. Where the waiting of
 * collective operations happens, but for barriers and other hosts. */
FL_COLD void fl_coll_await_slow(const struct fl_coll_call *call, _Atomic uint32_t *word,
                                uint32_t value);

static inline void fl_coll_await(const struct fl_coll_call *call, _Atomic uint32_t *word,
                                 uint32_t value) {
    if (!fl_wait_reached(word, value)) {
        fl_coll_await_slow(call, word, value);
    }
}

/* Waits until a member's cell may be read. */
static inline const struct fl_coll_cell *fl_coll_take(const struct fl_coll_call *call,
                                                      unsigned rank) {
    struct fl_coll_cell *cell = fl_coll_cell(call, rank);
    fl_coll_await(call, &cell->step, call->step << 1);
    return cell;
}

/* Acknowledges to a member that the caller is done with its memory. The member waits for `of`
 * acknowledgements, `here` of them of this host. Releases. */
void fl_coll_ack(const struct fl_coll_call *call, unsigned rank, unsigned of, unsigned here);
/* Waits until so many others are done with the caller's memory. Acquires. */
void fl_coll_await_acks(const struct fl_coll_call *call, unsigned of);

/* The turn of the call's step. */
static inline _Atomic uint32_t *fl_coll_turn(const struct fl_coll_call *call) {
    return &call->team->center->turns[call->step % FL_COLL_RING];
}

static inline struct fl_coll_result *fl_coll_result(const struct fl_coll_call *call) {
    return &call->team->center->results[call->step % FL_COLL_RING];
}

/* A cell for the caller to fill before it arrives at the turn. */
static inline struct fl_coll_cell *fl_coll_fill(const struct fl_coll_call *call, unsigned rank) {
    struct fl_coll_cell *cell = fl_coll_cell(call, rank);
    /* Relaxed: arriving publishes it. */
    atomic_store_explicit(&cell->step, call->step << 1, memory_order_relaxed);
    return cell;
}

/* Whether the caller is the last of this host to arrive at the turn. It sees what the others wrote
 * before, and ends the turn; they do not wait. */
bool fl_coll_arrive_here(const struct fl_coll_call *call);

/* True for the last member to arrive on each host: it may use the memory and the cells of all until
 * it ends the turn. The others do not wait. */
bool fl_coll_arrive(const struct fl_coll_call *call);

static inline void fl_coll_over(const struct fl_coll_call *call) {
    /* Relaxed: all have arrived, and the last of them need not have counted itself. */
    fl_assert(atomic_load_explicit(fl_coll_turn(call), memory_order_relaxed) >> 1 >=
              call->team->here - 1);
    fl_wait_publish(fl_coll_turn(call), 0);
}

/* For a member that has arrived: waits until the turn has ended. The word stays 0: the step that
 * counts on it next begins only when the caller has ended the half of this one. */
static inline void fl_coll_await_over(const struct fl_coll_call *call) {
    fl_coll_await(call, fl_coll_turn(call), 0);
}

#endif
