/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface between the OpenMP runtime and the program's other hosts. libfurlong-spread.so has
 * the table; libgomp.so.1 finds it by a weak symbol, which is null on one host. `hosts` is 0 while
 * constructors run: until main is called each host is alone.
 *
 * A region of level 1 may have members on all hosts: each host has consecutive numbers (spans.h),
 * and a part of the region with a barrier of its own. Nested regions stay on their host. Host 0
 * forks; its message has each other host execute its part. Memory of the program is coherent: calls
 * that order two threads here order their accesses too. The OpenMP runtime's own globals and
 * allocations are private to each host.
 *
 * Constructs are numbered by each thread in the order in which it meets them, from 1 in each
 * region; so all hosts mean the same construct by a number. `Host-level` calls are made by one
 * thread of each host while the other members of its part wait; all other calls by any thread at
 * any time.
 */
#ifndef FL_OMP_FAR_H
#define FL_OMP_FAR_H

#include "core/atomic_op.h"
#include "core/status.h"

#include <stddef.h>

/* Name of the wait of threads between regions, for reports. */
#define FL_OMP_FAR_IDLE "the next parallel region"

enum {
    FL_OMP_FAR_MESSAGE = 256, /* most bytes of a fork's message */
    FL_OMP_FAR_TOLD = 8192,   /* most bytes of any other message */
    FL_OMP_FAR_THREADS = 1024 /* most threads of a host at a time */
};

/* A share of the iterations 0 .. total - 1. */
struct fl_omp_far_take {
    uint64_t number; /* of the construct */
    uint64_t total;  /* the same in all calls for it */
    uint64_t chunk;  /* shares are multiples of it, except the last */
    uint64_t parts;  /* takes 1 / parts of what is left, but at least a chunk */
};

enum fl_omp_far_atomic {
    FL_OMP_FAR_PLAIN,    /* no other host sees the memory: the caller executes it */
    FL_OMP_FAR_BEGUN,    /* the caller executes it, and then ends it */
    FL_OMP_FAR_PERFORMED /* another host has executed it: `old` is set */
};

struct fl_omp_far {
    unsigned hosts, me;
    unsigned threads; /* of each host */
    unsigned beside;  /* threads of other (virtual) hosts on this one's CPUs */
    unsigned ends_most; /* ends of migrated tasks in a message (ends.h) */

    /* Set by the OpenMP runtime in a constructor: the hosts are known, and no region has begun. */
    void (*start)(void);
    /* Set likewise. Executes this host's part of a region that host 0
     * has forked, and joins. Called on all hosts but 0, for each region by the same thread. */
    void (*part)(const void *message, size_t bytes);
    /* Set likewise. Handles a message from the OpenMP runtime of any host, this one included. Runs
     * in any thread that polls: it must not wait, nor touch memory of the program. */
    void (*told)(unsigned from, const void *message, size_t bytes);

    /* Set likewise: the process ends, by the calling thread. */
    void (*end)(void);

    /* Host 0: begins the region on the other hosts; their `part` gets the message. */
    void (*fork)(const void *message, size_t bytes);
    /* Host-level, at the region's end. Returns on host 0 when all hosts have joined, elsewhere at
     * once. */
    void (*join)(void);
    /* Host-level: returns when all hosts have arrived. */
    void (*barrier)(void);

    /* The next iterations for the caller's host, *n_p of them from *first_p; false: none are left.
     * For loops and sections; and for `single`, with a total of 1: the host that gets it executes
     * it. */
    bool (*take)(const struct fl_omp_far_take *want, uint64_t *first_p, uint64_t *n_p);

    /* Synchronisation variables of a construct, 0 at first. `post` sets one and is a release; the
     * `await` that returns its value is the acquire. `await` waits until the variable is at least
     * `least`, and returns it. For ordered, doacross, and the address of copyprivate. Variables may
     * be awaited until the second host-level barrier, or join, after the construct. */
    void (*post)(uint64_t number, uint64_t index, uint64_t value);
    /* `post_soon` may delay the message for a short time while the thread goes on to set the same
     * variable. It is sent before the thread posts or awaits another variable, or makes any other
     * call that may have to wait, and by `settle`, which the construct ends with. */
    void (*post_soon)(uint64_t number, uint64_t index, uint64_t value);
    void (*settle)(void);
    uint64_t (*await)(uint64_t number, uint64_t index, uint64_t least);

    /* Locks among all threads of all hosts, named by any addresses that are the same on all hosts;
     * free at first. */
    void (*lock)(const void *name);
    bool (*try_lock)(const void *name);
    void (*unlock)(const void *name);

    /* An atomic operation on coherent memory. After FL_OMP_FAR_BEGUN the caller executes it, and
     * calls `atomic_end`. */
    enum fl_omp_far_atomic (*atomic)(struct fl_atomic_op *op);
    void (*atomic_end)(const struct fl_atomic_op *op);

    /* `flush` without a list. */
    void (*fence)(void);

    /* Allocates coherent memory, which other hosts may access; free() frees it. Null: no memory is
     * left. */
    void *(*alloc)(size_t bytes, size_t align);

    /* `tell` calls `told` on the host. Messages from one host to another keep their order; the
     * caller holds no lock that `told` takes. `release` comes before the message that the receiver
     * synchronises on, `acquire` after it there: accesses before the one are visible after the
     * other. */
    void (*tell)(unsigned host, const void *message, size_t bytes);
    void (*release)(unsigned host);
    void (*acquire)(unsigned from);

    /* For a thread that waits for messages: `poll` handles those that have arrived; `rest` says
     * that the thread will sleep, so that another must poll. */
    void (*poll)(void);
    void (*rest)(void);

    /* Time that the calling thread has spent so far on other hosts' memory and locks. */
    uint64_t (*spent_ns)(void);

    /* Whether this host prints the messages that every host would print. Valid in constructors. */
    bool (*speaks)(void);

    /* Whether the program, or a library of its own, calls functions whose names begin with
     * `begin`. */
    bool (*calls)(const char *begin);

    /* Whether the program cannot tell on which host a thread is, so that regions may be kept on
     * host 0; null: regions must not be kept. `kept`, on host 0, counts kept regions for -stats. */
    bool (*mobile)(void);
    uint64_t kept;

    /* What the calling thread waits for inside of libfurlong-spread.so; lives as long as the
     * thread. */
    struct fl_wait_reason *(*reason)(void);
};

extern struct fl_omp_far fl_omp_far __attribute__((weak, visibility("default")));

/* Whether the program is on several hosts, all of which have started. */
static inline bool fl_omp_spread(void) {
    return FL_UNLIKELY(&fl_omp_far != NULL) && fl_omp_far.hosts > 1;
}

/* Around an instruction that has to be atomic for all hosts: fl_omp_atomic_end gets what
 * fl_omp_atomic_begin has returned. */
static inline enum fl_omp_far_atomic fl_omp_atomic_begin(struct fl_atomic_op *op) {
    return FL_UNLIKELY(fl_omp_spread()) ? fl_omp_far.atomic(op) : FL_OMP_FAR_PLAIN;
}

static inline void fl_omp_atomic_end(enum fl_omp_far_atomic begun, const struct fl_atomic_op *op) {
    if (FL_UNLIKELY(begun == FL_OMP_FAR_BEGUN)) {
        fl_omp_far.atomic_end(op);
    }
}

#endif
