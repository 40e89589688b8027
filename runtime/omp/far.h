/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the OpenMP runtime asks of a program's other hosts. libfurlong-spread.so has the table;
 * libgomp.so.1 finds it by a weak symbol, which is null on one host. `hosts` is 0 while constructors
 * run: until main is called each host is alone.
 *
 * A region of level 1 may have threads on all hosts, `threads` on each: host h has the numbers
 * h * threads and on, and a part of the region with a barrier of its own. Regions inside regions
 * stay on their host. Host 0 forks; each other host is told and performs its part. Memory of the
 * program is coherent: what is said to order two threads here orders their accesses too. What the
 * OpenMP runtime has itself (its globals, what it allocates) is each host's own.
 *
 * Constructs are numbered by each thread in the order in which it meets them, from 1 in each region;
 * so all hosts mean the same construct by a number. `host-level` calls are made by one thread of
 * each host, when the others of its part have come and wait; the others by any thread at any time.
 */
#ifndef FL_OMP_FAR_H
#define FL_OMP_FAR_H

#include "core/atomic_op.h"
#include "core/status.h"

#include <stddef.h>

/* What a thread waits for that is to perform a part of the next region. */
#define FL_OMP_FAR_IDLE "the next parallel region"

enum {
    FL_OMP_FAR_MESSAGE = 256, /* most bytes of a fork's message */
    FL_OMP_FAR_TOLD = 8192,   /* and of others */
    FL_OMP_FAR_THREADS = 1024 /* most threads of a host at a time */
};

/* A share of the iterations 0 .. total - 1. */
struct fl_omp_far_take {
    uint64_t number; /* of the construct */
    uint64_t total;  /* the same in all calls for it */
    uint64_t chunk;  /* what is taken is a multiple, but for the last */
    uint64_t parts;  /* so much of what is left is taken: 1 / parts, but at least a chunk */
};

enum fl_omp_far_atomic {
    FL_OMP_FAR_PLAIN,    /* no other host sees the memory: the caller executes it */
    FL_OMP_FAR_BEGUN,    /* the caller executes it, and then ends it */
    FL_OMP_FAR_PERFORMED /* another host has: `old` is there */
};

struct fl_omp_far {
    unsigned hosts, me;
    unsigned threads; /* of each host */
    unsigned beside;  /* threads of other hosts that this one's CPUs execute too */

    /* Set by the OpenMP runtime in a constructor. Performs this host's part of a region that host 0
     * has forked, and joins. Called by the same thread again and again, on all hosts but 0. */
    void (*part)(const void *message, size_t bytes);
    /* Set likewise: a message of the OpenMP runtime of another host, or of this one. Runs while
     * messages are served, in any thread: it must not wait, nor touch memory of the program. */
    void (*told)(unsigned from, const void *message, size_t bytes);

    /* Host 0: the region begins on the other hosts, with a message to their parts. */
    void (*fork)(const void *message, size_t bytes);
    /* Host-level, at the region's end. On host 0 it returns when all have come, elsewhere at once. */
    void (*join)(void);
    /* Host-level: returns when all hosts have come. */
    void (*barrier)(void);

    /* The next iterations for the caller's host, *n_p of them from *first_p; false: none are left.
     * For loops and sections; and for who comes first to a `single`: a total of 1. */
    bool (*take)(const struct fl_omp_far_take *want, uint64_t *first_p, uint64_t *n_p);

    /* Words of a construct, which are 0 at first. `post` sets one, and orders what was done before
     * it before what is done after an `await` that returns it. `await` waits until the word is at
     * least so large, and returns it. For ordered, doacross, and the address of copyprivate. Words
     * may be asked for until the second host-level barrier, or join, after the construct. */
    void (*post)(uint64_t number, uint64_t index, uint64_t value);
    /* `post_soon` may put it off while the thread goes on to set the same word, for a short time; what
     * is put off is posted before the thread posts or awaits another word, or takes or asks for
     * anything here that it could have to wait for, and by `settle`, which the construct ends with. */
    void (*post_soon)(uint64_t number, uint64_t index, uint64_t value);
    void (*settle)(void);
    uint64_t (*await)(uint64_t number, uint64_t index, uint64_t least);

    /* Locks, named by any addresses that are the same on all hosts; free at first. Among all
     * threads of all hosts. */
    void (*lock)(const void *name);
    bool (*try_lock)(const void *name);
    void (*unlock)(const void *name);

    /* An atomic operation on memory, for all hosts; and what follows, if it has begun. */
    enum fl_omp_far_atomic (*atomic)(struct fl_atomic_op *op);
    void (*atomic_end)(const struct fl_atomic_op *op);

    /* `flush` without a list. */
    void (*fence)(void);

    /* Memory of the program, for what it is given (omp_alloc) or may pass to other hosts; `free`
     * takes it. Null: there is none left. */
    void *(*alloc)(size_t bytes, size_t align);

    /* Calls `told` on the host. Two hosts' messages keep their order; the caller has no lock that
     * `told` takes. What has been done before `release` comes before what is done after `acquire`
     * there, by who knows of a message that was sent after it. */
    void (*tell)(unsigned host, const void *message, size_t bytes);
    void (*release)(unsigned host);
    void (*acquire)(unsigned from);

    /* For who waits for messages: serves those that have come; and the caller will sleep, so somebody
     * else must. */
    void (*poll)(void);
    void (*rest)(void);

    /* What the calling thread has spent so far on accesses to memory, and locks, of other hosts. */
    uint64_t (*spent_ns)(void);

    /* Whether this is the host that says to the user what each would say. There from the start. */
    bool (*speaks)(void);

    /* Whether the program, or a library of its own, calls functions whose names begin so. */
    bool (*calls)(const char *begin);

    /* What the calling thread waits for in there; lives as long as the thread. */
    struct fl_wait_reason *(*reason)(void);
};

extern struct fl_omp_far fl_omp_far __attribute__((weak, visibility("default")));

/* Whether the program is on several hosts, all of which are there. */
static inline bool fl_omp_spread(void) {
    return FL_UNLIKELY(&fl_omp_far != NULL) && fl_omp_far.hosts > 1;
}

/* Around an instruction that has to be atomic for all hosts; what the first returns is for the
 * second. */
static inline enum fl_omp_far_atomic fl_omp_atomic_begin(struct fl_atomic_op *op) {
    return FL_UNLIKELY(fl_omp_spread()) ? fl_omp_far.atomic(op) : FL_OMP_FAR_PLAIN;
}

static inline void fl_omp_atomic_end(enum fl_omp_far_atomic begun, const struct fl_atomic_op *op) {
    if (FL_UNLIKELY(begun == FL_OMP_FAR_BEGUN)) {
        fl_omp_far.atomic_end(op);
    }
}

#endif
