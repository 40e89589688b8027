/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Worksharing constructs. Every one with iterations is brought to the form 0 ... count - 1, in
 * which members take pieces; only the entries (loop.c, sections.c) know the program's numbers.
 *
 * Members share only a construct's count of iterations taken. Each member's own call passes it the
 * rest, which it keeps for itself: so no member has to set a construct up. Constructs are numbered
 * as members meet them; number k has slot k % FL_OMP_SHARES, which the last member to leave resets.
 * A member that is FL_OMP_SHARES constructs ahead waits.
 */
#ifndef FL_OMP_SHARE_H
#define FL_OMP_SHARE_H

#include "core/mutex.h"
#include "omp/icv.h"

#include <stdatomic.h>
#include <stddef.h>

struct fl_omp_member;

/* Members seldom are so far ahead of each other; where they share a CPU, a member executes so many
 * constructs before it has to wait for a thread that does not run. */
enum { FL_OMP_SHARES = 64 };

struct fl_omp_share {
    _Alignas(FL_CACHE_LINE) _Atomic uint64_t taken; /* iterations */
    _Atomic uint32_t left;                          /* members that have left */
    _Atomic uint64_t number;                        /* of the construct that it is for */
    struct fl_mutex lock;                           /* over several hosts: of the next two */
    uint64_t from, to;                              /* what is left of this host's batch */
    void *zeros;                                    /* memory of all hosts; null: none yet */
    _Atomic uint64_t turn;                          /* `ordered`: iterations that are done */
    _Atomic(void *) memory[2];                      /* shared by the members; freed at the end */
};

enum { FL_OMP_MEMORY_PROGRAM, FL_OMP_MEMORY_NEST };

/* A member's state in the construct that it executes. */
struct fl_omp_loop {
    struct fl_omp_share *share; /* null: in none */
    uint64_t start, end, step;  /* the program's numbers; the arithmetic is modulo 2^64 */
    uint64_t number;            /* of the construct, for other hosts */
    uint64_t count;             /* iterations */
    uint64_t chunk;
    uint64_t pieces;   /* `static`: that it has had */
    uint64_t from, to; /* `ordered`: the piece that it has; empty: none */
    _Atomic uint64_t *dealt; /* the member's word, see deal.h; null: the loop is not dealt */
    enum fl_omp_schedule schedule;
    bool in_order; /* schedule(monotonic: ...): chunks are given out in the order of iterations */
    bool ordered;
    bool in_turn; /* `ordered`: the turn of its piece has come */
    bool has_had_last; /* chunk of a loop that is dealt */
    bool simple; /* `taken` tells all: dynamic, on one host, without order, and not huge */
};

/* And of a doacross nest (doacross.c). */
enum { FL_OMP_NEST = 64 };
struct fl_omp_nest {
    struct fl_omp_share *share; /* if it has one that is not the loop's */
    uint64_t number;            /* of the construct, for other hosts */
    _Atomic uint64_t *done;     /* for each outer iteration: inner ones that are done */
    unsigned depth;
    unsigned outer; /* loops whose iterations are divided together */
    bool announced; /* but not yet divided */
    uint64_t counts[FL_OMP_NEST];
    uint64_t starts[FL_OMP_NEST], steps[FL_OMP_NEST]; /* of the program's numbers, if they are used */
};

/* The member meets the construct that its `loop` describes. */
void fl_omp_share_begin(struct fl_omp_member *me);

/* And leaves it. */
void fl_omp_share_end(struct fl_omp_member *me);

/* Between regions: resets the slots of the first `used` constructs. */
void fl_omp_shares_wipe(struct fl_omp_share *shares, uint64_t used);

/* Zeroed memory that members of the construct share until the last leaves it; all pass the same
 * size. */
void *fl_omp_share_memory(struct fl_omp_member *me, unsigned use, size_t bytes);

/* The same for this host's members only. */
void *fl_omp_share_memory_here(struct fl_omp_member *me, unsigned use, size_t bytes);

/* The next piece [*from, *to) of a simple loop; false: none is left. Relaxed: taking iterations
 * publishes nothing. */
static inline bool fl_omp_loop_take(struct fl_omp_loop *loop, uint64_t *from, uint64_t *to) {
    uint64_t at = atomic_fetch_add_explicit(&loop->share->taken, loop->chunk, memory_order_relaxed);
    if (at >= loop->count) {
        return false;
    }
    *from = at;
    *to = loop->count - at < loop->chunk ? loop->count : at + loop->chunk;
    return true;
}

/* The same for any loop. */
bool fl_omp_share_take(struct fl_omp_member *me, uint64_t *from, uint64_t *to);

#endif
