/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Coherent memory: ranges of addresses that all threads of a job share, though they are on several
 * hosts, as plain C accesses it. One process for each host, its number the host's. A thread sees
 * what others wrote before a barrier or a lock that orders the two; programs in which two accesses
 * conflict that nothing orders are not supported.
 *
 * Home-based lazy release consistency with several writers of a page. Each page has a home, which
 * always has all that others were told of; the others have copies. Who writes to a copy keeps its
 * old content, the twin, and sends the home the difference at a release, or when another host wants
 * the lock; a notice of the write goes with the lock or through the barrier, and makes other copies
 * absent. At a barrier a page that one host alone has written gets that host as its home: then nothing
 * is sent but notices.
 * Who reads a page each time after its home has written to it is sent what has changed; and small
 * diffs go with locks, and are put into copies, which stay. Atomic operations go to the home.
 * Y. Zhou, L. Iftode, K. Li: Performance evaluation of two home-based lazy release consistency
 * protocols for shared virtual memory systems (OSDI 1996).
 *
 * The program must touch coherent memory only where it may be interrupted by waiting for other
 * hosts: not in handlers of comm, nor while the C library or a runtime holds what comm needs.
 */
#ifndef FL_DSM_DSM_H
#define FL_DSM_DSM_H

#include "core/atomic_op.h"
#include "core/wait.h"
#include "dsm/lease.h"
#include "dsm/map.h"

struct fl_dsm_setup {
    unsigned hosts, me;
    unsigned threads; /* of this host */
    const struct fl_map_range *ranges; /* the same on all hosts */
    unsigned n_ranges;
    /* Mechanism (fault.h). "tracking": the kernel notes first writes wherever it can, for tests;
     * "original": page by page, for comparison, where each host has one thread; null: the best
     * mechanism, and the kernel does so where that pays. */
    const char *faults;
    enum fl_lease_policy leases;
    struct fl_wait_policy wait;
    bool looks; /* threads call fl_dsm_look: who waits at a barrier has told before what it has written */
};

/* Once, between fl_comm_start and fl_comm_connect. Fatal on failure. */
void fl_dsm_start(const struct fl_dsm_setup *setup);

/* When more is known of who shares the CPUs; before there are other threads. */
void fl_dsm_wait_as(struct fl_wait_policy wait);

/* Each thread, before it touches coherent memory. */
void fl_dsm_thread_start(void);

/* Until all threads of all hosts have come. */
void fl_dsm_barrier(void);

/* The same, called by one thread of each host for all of its threads, which wait meanwhile. */
void fl_dsm_barrier_hosts(void);

/* Regions that all hosts run, and host 0 alone between them. One thread of each host calls these for
 * all of its threads. A program begins with a join. Host 0: all have come to the end of the region;
 * the next one begins, with a message. The others do not wait in a join, and touch no coherent
 * memory from there until the next fork, which gives them the message, and returns its bytes. */
void fl_dsm_join(void);
void fl_dsm_fork(const void *message, size_t bytes);
size_t fl_dsm_fork_wait(void *message, size_t room);

/* Locks, which are free at first; the same numbers on all hosts. Those that are not used cost nothing. */
enum { FL_DSM_LOCKS = 1 << 22 };
void fl_dsm_acquire(unsigned lock);
void fl_dsm_release(unsigned lock);
/* Whether it could be had without waiting for a thread that holds it; it may be waited for if another
 * wants it in the same moment. */
FL_MUST_USE bool fl_dsm_acquire_try(unsigned lock);

/* An atomic operation on memory, for all threads of all hosts. Returns whether the memory's home has
 * performed it, which it does only if it `may`: not between a join and a fork.
 * Else the caller executes it, without any other lock meanwhile, and ends it. */
enum { FL_DSM_LOCK_ATOMICS = FL_DSM_LOCKS + 1, FL_DSM_ATOMIC_LOCKS = 1 << 20 };
FL_MUST_USE bool fl_dsm_atomic(struct fl_atomic_op *op, bool may);
void fl_dsm_atomic_end(const struct fl_atomic_op *op);

/* The caller's host is the home of these pages from the next barrier on, unless another host writes
 * to them before it. */
void fl_dsm_claim(const void *memory, size_t bytes);

/* What threads of this host have written, and learned, before a tell is seen by those of `host` that
 * hear of it: after a message of the caller's has come (comm), which was sent after the tell. */
void fl_dsm_tell(unsigned host);
void fl_dsm_hear(unsigned from);

/* What threads of all hosts had written before the call is seen by those of this one; as may be some of
 * what they write meanwhile. For loops that wait for memory to change. */
void fl_dsm_look(void);

/* What threads have written before a fence is seen by those that have a later one. */
void fl_dsm_fence(void);

/* What has happened on this host so far. */
struct fl_dsm_counts {
#define FL_DSM_COUNT(name, text) uint64_t name;
#include "dsm/counts.def"
#undef FL_DSM_COUNT
};
void fl_dsm_counts(struct fl_dsm_counts *counts);
/* The launcher hears of them, for `-stats`: at the end. */
void fl_dsm_report_counts(void);
/* Host 0 says on stderr what has happened on all of them, as "text" or "json"; null: nothing. All
 * still serve the others. */
void fl_dsm_print_counts(const char *how);

/* What the calling thread has spent so far on other hosts: in faults, on locks, on ends of intervals. */
uint64_t fl_dsm_spent_ns(void);

/* The mechanism in use. */
const char *fl_dsm_faults(void);

#endif
