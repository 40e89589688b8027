/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Worksharing constructs. Every one with iterations is brought to the form 0 ... count - 1, in which
 * members take pieces; only the entries (loop.c, sections.c) know the program's numbers.
 *
 * What members share of a construct is how many iterations have been taken. Everything else all of
 * them are told alike, and keep for themselves: so nobody has to set a construct up. Constructs are
 * numbered as members meet them; number k has slot k % FL_OMP_SHARES, which is reset by the last to
 * leave. Who is so many constructs ahead waits.
 */
#ifndef FL_OMP_SHARE_H
#define FL_OMP_SHARE_H

#include "core/mutex.h"
#include "omp/icv.h"

#include <stdatomic.h>
#include <stddef.h>

struct fl_omp_member;

/* Members seldom are so far ahead of each other; where they share a CPU, each switch of threads comes
 * after so many constructs at the earliest. */
enum { FL_OMP_SHARES = 64 };

struct fl_omp_share {
    _Alignas(FL_CACHE_LINE) _Atomic uint64_t taken; /* iterations */
    _Atomic uint32_t left;                          /* members that have left */
    _Atomic uint64_t number;                        /* of the construct that it is for */
    struct fl_mutex lock;                           /* over several hosts: of the next two */
    uint64_t from, to;                              /* of this host's batch, what is left */
    void *zeros;                                    /* and what all hosts share; null: nothing yet */
    _Atomic uint64_t turn;                          /* `ordered`: iterations that are through */
    _Atomic(void *) memory[2];                      /* shared by the members; freed at the end */
};

enum { FL_OMP_MEMORY_PROGRAM, FL_OMP_MEMORY_NEST };

/* What a member knows of the construct that it is in. */
struct fl_omp_loop {
    struct fl_omp_share *share; /* null: in none */
    uint64_t start, end, step;  /* the program's numbers; the arithmetic is modulo 2^64 */
    uint64_t number;            /* of the construct, for other hosts */
    uint64_t count;             /* iterations */
    uint64_t chunk;
    uint64_t pieces;   /* `static`: that it has had */
    uint64_t from, to; /* `ordered`: the piece that it has; empty: none */
    _Atomic uint64_t *dealt; /* what is left to the member, see deal.h; null: it is not dealt */
    enum fl_omp_schedule schedule;
    bool in_order; /* schedule(monotonic: ...): chunks are given out in the order of iterations */
    bool ordered;
    bool has_had_last; /* chunk of a loop that is dealt */
    bool simple; /* `taken` tells all: dynamic, on one host, without order, and not huge */
};

/* And of loops that are ordered crosswise (doacross.c). */
enum { FL_OMP_NEST = 64 };
struct fl_omp_nest {
    struct fl_omp_share *share; /* if it has one that is not the loop's */
    uint64_t number;            /* of the construct, for other hosts */
    _Atomic uint64_t *done;     /* of each outer iteration: inner ones that are through */
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

/* Between regions: of `used` constructs, the first ones, nothing is left. */
void fl_omp_shares_wipe(struct fl_omp_share *shares, uint64_t used);

/* Zeros that members of the construct share until the last leaves it; all ask for as many. */
void *fl_omp_share_memory(struct fl_omp_member *me, unsigned use, size_t bytes);

/* The same for this host's members only. */
void *fl_omp_share_memory_here(struct fl_omp_member *me, unsigned use, size_t bytes);

/* Of a simple loop the next piece [*from, *to); false: there is none. Relaxed: iterations are given
 * out, and nothing is published by that. */
static inline bool fl_omp_loop_take(struct fl_omp_loop *loop, uint64_t *from, uint64_t *to) {
    uint64_t at = atomic_fetch_add_explicit(&loop->share->taken, loop->chunk, memory_order_relaxed);
    if (at >= loop->count) {
        return false;
    }
    *from = at;
    *to = loop->count - at < loop->chunk ? loop->count : at + loop->chunk;
    return true;
}

/* The same of any. */
bool fl_omp_share_take(struct fl_omp_member *me, uint64_t *from, uint64_t *to);

#endif
