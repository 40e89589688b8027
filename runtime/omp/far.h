/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface between the OpenMP runtime, libgomp.so.1, and the program's other hosts,
 * libfurlong-spread.so: functions of each that the other one calls. They are weak: on one host there
 * is no libfurlong-spread.so, and nothing calls it. While constructors run each host is alone;
 * fl_omp_start ends that.
 *
 * Both have runtime/core and runtime/platform, each its own: their threads wait differently
 * (core/wait.h), and over hosts what the C library does depends on the library that calls it
 * (spread/objects.h). In one library, a program on one host would start later, and a plugin with
 * OpenMP could not be loaded, for want of static TLS.
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

/* The hosts; each of the two libraries has it for itself. Zeros until all have started. */
struct fl_omp_far {
    unsigned hosts, me;
    unsigned threads;   /* of each host */
    unsigned beside;    /* threads of other (virtual) hosts on this one's CPUs */
    unsigned ends_most; /* ends of migrated tasks in a message (ends.h) */
    bool may_keep;      /* regions on host 0, in programs of which fl_omp_far_mobile says so */
};
extern struct fl_omp_far fl_omp_far;

/* Resolved when both libraries are loaded, null if one is missing: names_test compares them. */
#define FL_OMP_SEAM __attribute__((weak, visibility("default")))

/* ---- functions of the OpenMP runtime ---- */

/* The hosts are known, and no region has begun. */
FL_OMP_SEAM void fl_omp_start(const struct fl_omp_far *far);

/* Executes this host's part of a region that host 0 has forked, and joins. Called on all hosts but
 * 0, for each region by the same thread. */
FL_OMP_SEAM void fl_omp_part(const void *message, size_t bytes);

/* Handles a message from the OpenMP runtime of any host, this one included. Runs in any thread that
 * polls: it must not wait, nor touch memory of the program. */
FL_OMP_SEAM void fl_omp_told(unsigned from, const void *message, size_t bytes);

/* Bytes of a thread's stack that the settings ask for; 0: they do not. Valid in constructors. */
FL_OMP_SEAM uint64_t fl_omp_stack(void);

/* How many regions host 0 has kept. */
FL_OMP_SEAM uint64_t fl_omp_kept(void);

/* The calling thread ends the process. */
FL_OMP_SEAM void fl_omp_end(void);

/* ---- functions of libfurlong-spread.so ---- */

/* Whether this host prints the messages that every host would print. Valid in constructors. */
FL_OMP_SEAM bool fl_omp_far_speaks(void);

/* Host 0: begins the region on the other hosts; their fl_omp_part gets the message. */
FL_OMP_SEAM void fl_omp_far_fork(const void *message, size_t bytes);
/* Host-level, at the region's end. Returns on host 0 when all hosts have joined, elsewhere at
 * once. */
FL_OMP_SEAM void fl_omp_far_join(void);
/* Host-level: returns when all hosts have arrived. */
FL_OMP_SEAM void fl_omp_far_barrier(void);

/* A share of the iterations 0 .. total - 1. */
struct fl_omp_far_take {
    uint64_t number; /* of the construct */
    uint64_t total;  /* the same in all calls for it */
    uint64_t chunk;  /* shares are multiples of it, except the last */
    uint64_t parts;  /* takes 1 / parts of what is left, but at least a chunk */
};
/* The next iterations for the caller's host, *n_p of them from *first_p; false: none are left. For
 * loops and sections; and for `single`, with a total of 1: the host that gets it executes it. */
FL_OMP_SEAM bool fl_omp_far_take(const struct fl_omp_far_take *want, uint64_t *first_p,
                                 uint64_t *n_p);

/* Synchronisation variables of a construct, 0 at first. `post` sets one and is a release; the
 * `await` that returns its value is the acquire. `await` waits until the variable is at least
 * `least`, and returns it. For ordered, doacross, and the address of copyprivate. Variables may be
 * awaited until the second host-level barrier, or join, after the construct. */
FL_OMP_SEAM void fl_omp_far_post(uint64_t number, uint64_t index, uint64_t value);
FL_OMP_SEAM uint64_t fl_omp_far_await(uint64_t number, uint64_t index, uint64_t least);
/* `post_soon` may delay the message for a short time while the thread goes on to set the same
 * variable. It is sent before the thread posts or awaits another variable, or makes any other call
 * that may have to wait, and by `settle`, which the construct ends with. */
FL_OMP_SEAM void fl_omp_far_post_soon(uint64_t number, uint64_t index, uint64_t value);
FL_OMP_SEAM void fl_omp_far_settle(void);

/* Locks among all threads of all hosts, named by any addresses that are the same on all hosts; free
 * at first. */
FL_OMP_SEAM void fl_omp_far_lock(const void *name);
FL_OMP_SEAM bool fl_omp_far_try_lock(const void *name);
FL_OMP_SEAM void fl_omp_far_unlock(const void *name);

enum fl_omp_far_atomic {
    FL_OMP_FAR_PLAIN,    /* no other host sees the memory: the caller executes it */
    FL_OMP_FAR_BEGUN,    /* the caller executes it, and then ends it */
    FL_OMP_FAR_PERFORMED /* it is an update, which another host executes */
};
/* An atomic operation on coherent memory. After FL_OMP_FAR_BEGUN the caller executes it, and calls
 * the second. */
FL_OMP_SEAM enum fl_omp_far_atomic fl_omp_far_atomic_begin(struct fl_atomic_op *op);
FL_OMP_SEAM void fl_omp_far_atomic_end(const struct fl_atomic_op *op);

/* `flush` without a list, for any thread while hosts are together (OpenMP 5.1 §2.19.8). Waits for
 * hosts that flush at the same time; longer if the thread does nothing else. */
FL_OMP_SEAM void fl_omp_far_flush(void);

/* Allocates coherent memory, which other hosts may access; free() frees it. Null: no memory is
 * left. */
FL_OMP_SEAM void *fl_omp_far_alloc(size_t bytes, size_t align);

/* `tell` calls fl_omp_told on the host. Messages from one host to another keep their order; the
 * caller holds no lock that fl_omp_told takes. `release` comes before the message that the receiver
 * synchronises on, `acquire` after it there: accesses before the one are visible after the other. */
FL_OMP_SEAM void fl_omp_far_tell(unsigned host, const void *message, size_t bytes);
FL_OMP_SEAM void fl_omp_far_release(unsigned host);
FL_OMP_SEAM void fl_omp_far_acquire(unsigned from);

/* The calls of a thread that waits for messages: `poll` handles what has arrived; `rest` says that the
 * thread will sleep, so that another must poll. */
FL_OMP_SEAM void fl_omp_far_poll(void);
FL_OMP_SEAM void fl_omp_far_rest(void);

/* Time that the calling thread has spent so far on other hosts' memory, locks and atomic operations. */
FL_OMP_SEAM uint64_t fl_omp_far_spent_ns(void);

/* What the calling thread waits for inside of libfurlong-spread.so; lives as long as the thread. */
FL_OMP_SEAM struct fl_wait_reason *fl_omp_far_reason(void);

/* Whether the program, or a library of its own, calls functions whose names begin with `begin`. */
FL_OMP_SEAM bool fl_omp_far_calls(const char *begin);

/* Whether the program cannot tell on which host a thread is. */
FL_OMP_SEAM bool fl_omp_far_mobile(void);

/* On host 0: whether a thread has left a state with another host, or with host 0, where it was since a
 * region was kept: all regions are distributed, or kept, from now on. */
FL_OMP_SEAM bool fl_omp_far_bound_far(void);
FL_OMP_SEAM bool fl_omp_far_bound_here(void);

/* ---- for both ---- */

/* Whether the program is on several hosts, all of which have started. */
static inline bool fl_omp_spread(void) {
    return FL_UNLIKELY(fl_omp_far.hosts > 1);
}

/* Around an instruction that has to be atomic for all hosts: fl_omp_atomic_end gets what
 * fl_omp_atomic_begin has returned. */
static inline enum fl_omp_far_atomic fl_omp_atomic_begin(struct fl_atomic_op *op) {
    return FL_UNLIKELY(fl_omp_spread()) ? fl_omp_far_atomic_begin(op) : FL_OMP_FAR_PLAIN;
}

static inline void fl_omp_atomic_end(enum fl_omp_far_atomic begun, const struct fl_atomic_op *op) {
    if (FL_UNLIKELY(begun == FL_OMP_FAR_BEGUN)) {
        fl_omp_far_atomic_end(op);
    }
}

#endif
