/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Coherent memory: ranges of addresses that all threads of a job share, though they are on several
 * hosts, with plain C accesses. Each host has one process, whose number is the host's. A thread
 * sees what others wrote before a barrier or a lock that orders the two; programs with data races
 * are not supported.
 *
 * Home-based lazy release consistency with several writers of a page. Each page has a home, to
 * which diffs are sent; other hosts have copies. A host that writes to a copy keeps its old
 * content, the twin, and sends the home the diff at a release, or when another host requests the
 * lock; a write notice goes with the lock or through the barrier, and makes other copies absent. At
 * a barrier the home of a page that one host alone has written moves to that host: then only
 * notices are sent. A host that fetches a page each time after its home has written to it is pushed
 * what has changed; and small diffs are piggybacked on lock grants, and applied to copies, which
 * stay valid. Atomic operations take a lock, or are performed by the memory's home, if their
 * results are not used (update.c).
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
#include "dsm/map.h"

/* What has happened to a page, for a report. */
struct fl_dsm_event {
    enum { FL_DSM_READ_FAULT, FL_DSM_WRITE_FAULT, FL_DSM_WRITTEN /* in an interval */ } kind;
    uintptr_t address;
    uintptr_t pc; /* of a fault */
    uint64_t ns;
};

/* Two hosts have written the same bytes, and nothing orders these writes. */
struct fl_dsm_race {
    uintptr_t address;
    size_t bytes;
    struct fl_dsm_race_side {
        unsigned host;
        uintptr_t pc;  /* of the first write to the bytes' page; 0: not known */
        bool is_exact; /* it was to these bytes, or beside them */
    } sides[2];
};

struct fl_dsm_setup {
    unsigned hosts, me;
    unsigned threads; /* of this host */
    const struct fl_map_range *ranges; /* the same on all hosts */
    unsigned n_ranges;
    /* Mechanism (fault.h). "tracking": the kernel notes first writes wherever it can, for tests;
     * "original": page by page, for comparison, where each host has one thread; null: the best
     * mechanism, and tracking of chunks where that pays. */
    const char *faults;
    const struct fl_params *params; /* the policies' settings; null: as they are initially */
    struct fl_wait_policy wait;
    bool looks; /* threads call fl_dsm_look: a thread at a barrier has told before what it has written */
    /* On host 0, where hosts meet, for each race since they met last that is found (check.c); null: none
     * is looked for. May print and allocate, but not touch coherent memory. */
    void (*check)(const struct fl_dsm_race *race);
    void (*note_sigsafe)(const struct fl_dsm_event *event); /* null: nobody wants to know */
};

/* Once, between fl_comm_start and fl_comm_connect. Fatal on failure. */
void fl_dsm_start(const struct fl_dsm_setup *setup);

/* Changes the wait policy, when sharing of CPUs is known; before there are other threads. */
void fl_dsm_wait_as(struct fl_wait_policy wait);

/* Each thread, before it touches coherent memory. */
void fl_dsm_thread_start(void);

/* So many more threads, or fewer, run on while those of this host meet other hosts. */
void fl_dsm_beside(int more);

/* Waits for all threads of all hosts. */
void fl_dsm_barrier(void);

/* The same, called by one thread of each host for all of its threads, which wait meanwhile. */
void fl_dsm_barrier_hosts(void);

/* All hosts run regions; between these host 0 runs alone. One thread of each host calls these for
 * all of its threads. A program begins with a join. On host 0, a join waits until all hosts have
 * ended the region, and a fork starts the next one with a message of at most a page. On the others,
 * a join does not wait, and no thread touches coherent memory until fl_dsm_fork_wait has returned
 * the size of the message, which it copies; a message larger than `room` is fatal. */
void fl_dsm_join(void);
void fl_dsm_fork(const void *message, size_t bytes);
size_t fl_dsm_fork_wait(void *message, size_t room);

/* Locks, free at first; the same numbers on all hosts. Unused locks cost nothing. */
enum { FL_DSM_LOCKS = 1 << 22 };
void fl_dsm_acquire(unsigned lock);
void fl_dsm_release(unsigned lock);
/* Try-lock. Returns false if a thread holds the lock, or waits for it; may block if another host
 * requests the lock at the same time. */
FL_MUST_USE bool fl_dsm_acquire_try(unsigned lock);

/* An atomic operation on memory, among all threads of all hosts. True: it is an update, and the
 * memory's home will perform it; not between a join and a fork. False: the caller has the
 * operation's lock, executes it, takes no other lock meanwhile, and calls fl_dsm_atomic_end. */
enum { FL_DSM_LOCK_ATOMICS = FL_DSM_LOCKS + 1, FL_DSM_ATOMIC_LOCKS = 1 << 20 };
FL_MUST_USE bool fl_dsm_atomic(struct fl_atomic_op *op);
void fl_dsm_atomic_end(const struct fl_atomic_op *op);

/* The caller's host is the home of these pages from the next barrier on, unless another host writes
 * to them before it. */
void fl_dsm_claim(const void *memory, size_t bytes);

/* A release to one host: what threads of this host have written, or acquired, before the call is
 * visible to threads of `host` after the matching fl_dsm_hear. Call it before sending the message
 * (comm) on which the receiver synchronises; the receiver calls fl_dsm_hear when that has come. */
void fl_dsm_tell(unsigned host);
void fl_dsm_hear(unsigned from);

/* An acquire from all hosts: what their threads wrote before the call is visible to this host's
 * after it, as some later writes may be. Blocks until each host has answered. For loops that wait
 * for memory to change. */
void fl_dsm_look(void);

/* What threads wrote before a fence is visible to those that call a later one, on any host. */
void fl_dsm_fence(void);

/* Counts of this host so far. */
struct fl_dsm_counts {
#define FL_DSM_COUNT(name, text) uint64_t name;
#include "dsm/counts.def"
#undef FL_DSM_COUNT
};
void fl_dsm_counts(struct fl_dsm_counts *counts);
/* Sends them to the launcher, for `-stats`; at the end. */
void fl_dsm_report_counts(void);
/* Host 0 prints the counts of all hosts on stderr, as "text" or "json"; null: nothing. All hosts
 * must still serve messages. */
void fl_dsm_print_counts(const char *how);

/* Time that the calling thread has spent so far in faults, on locks, and on ends of intervals. */
uint64_t fl_dsm_spent_ns(void);

/* Host 0: whether all has been compared that hosts have written. */
bool fl_dsm_check_is_whole(void);

#endif
