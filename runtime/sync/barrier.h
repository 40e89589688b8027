/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The split-phase barrier of a job, with values (UPC 1.3 6.6.1). Its memory is shared between all
 * threads of a host, in whatever processes. Does not know what a UPC thread is beyond its number.
 *
 * On several hosts the threads of each host count, and the last to arrive begins the stage between
 * hosts (hosts.c), whose end releases them. On one host there are three algorithms, chosen once per
 * job. With a CPU for every thread: dissemination (Hensgen, Finkel and Manber 1988), each thread
 * spinning on lines that only one other thread writes. With fewer CPUs: one central counter, so
 * that the last to arrive releases all and every thread is scheduled once. For two threads with a
 * CPU each: a word on which both count and spin, since one line that goes to and fro costs half of
 * what two lines do, each written by one thread and read by the other.
 *
 * Everything is doubled by the epoch's parity: no thread can be two epochs ahead of another.
 */
#ifndef FL_SYNC_BARRIER_H
#define FL_SYNC_BARRIER_H

#include "core/wait.h"
#include "space/layout.h"
#include "sync/rounds.h"

#include <stddef.h>

enum fl_barrier_way { FL_BARRIER_CENTRAL, FL_BARRIER_DISSEMINATION, FL_BARRIER_PAIR };

enum { FL_BARRIER_FILE_BYTES = 232 };

/* A thread's last notify, and its place in the program: for error messages. */
struct fl_barrier_record {
    _Alignas(FL_CACHE_LINE) int32_t value;
    uint32_t thread;
    uint32_t kind;
    int32_t line; /* 0: no place */
    _Atomic uint32_t epoch;
    bool has_value;
    char file[FL_BARRIER_FILE_BYTES];
};

/* What a set of threads agreed on so far. */
struct fl_barrier_agreed {
    uint32_t giver; /* 1 + a thread that gave the value; 0: there is none */
    int32_t value;
    uint32_t kind; /* of their barrier */
};

/* One incoming message of one thread. */
struct fl_barrier_cell {
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t word; /* epoch << 1, a wait word */
    struct fl_barrier_agreed agreed;
};

/* The lines of the two algorithms that count. */
struct fl_barrier_center {
    _Alignas(FL_CACHE_LINE) _Atomic uint64_t arrived;   /* sum of kinds << 32 | threads */
    _Alignas(FL_CACHE_LINE) _Atomic uint64_t agreed[2]; /* giver << 32 | value */
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t word;      /* last finished epoch << 1 */
    /* The pair's: agreement sum of odd epochs << 48 | of even ones << 32 | arrivals << 1 |
     * asleep. */
    _Alignas(FL_CACHE_LINE) _Atomic uint64_t pair;
};

/* The stage between hosts in epochs of one parity. */
struct fl_barrier_stage {
    /* Bit 0: this host's threads have arrived; bit 1 + r: the message of round r has. They change
     * to 1 in one epoch of the parity and to 0 in the next. */
    _Alignas(FL_CACHE_LINE) _Atomic uint32_t state;
    uint32_t speaker;                            /* the thread whose record stands for this host */
    struct fl_barrier_record in[FL_ROUNDS_MOST]; /* the records that messages brought */
};

struct fl_barrier;

/* Sends a message to another host, whose handler is fl_barrier_hear. Does not block. */
typedef void fl_barrier_tell(const struct fl_barrier *barrier, unsigned host,
                             const uint64_t words[3], const char *file, size_t file_bytes);

/* Per process. */
struct fl_barrier {
    unsigned threads; /* of this host */
    unsigned first;   /* the first of them */
    unsigned hosts, host;
    unsigned rounds; /* between hosts if there are several, else between threads */
    enum fl_barrier_way way;
    struct fl_wait_policy policy;
    const char *const *names; /* of kinds */
    struct fl_barrier_center *center;
    struct fl_barrier_stage *stages;   /* [parity] */
    struct fl_barrier_cell *cells;     /* [thread][round][parity] */
    struct fl_barrier_record *records; /* [thread][parity] */
    const struct fl_layout *layout;    /* on several hosts */
    fl_barrier_tell *tell;
};

/* The state of one thread; starts as zeros, but for `me`. */
struct fl_barrier_thread {
    unsigned me;
    uint32_t epoch; /* of the last notify; 31 bits, wraps */
    bool notified;
    struct fl_barrier_agreed agreed;
    uint64_t pair;        /* its word when this thread arrived last */
    uint16_t tellings[2]; /* agreement sums when this thread last left an epoch of that parity */
    const char *file[2];  /* the name that the record has a copy of */
};

/* A barrier statement. */
struct fl_barrier_mark {
    uint32_t kind; /* what the barrier is part of: barriers of two kinds must not meet */
    bool has_value;
    int value;
    const char *file;
    int line;
};

/* Bytes of shared memory for any algorithm, for the threads of a host; they must start as zeros,
 * aligned to a cache line. */
uint64_t fl_barrier_bytes(unsigned threads);

/* The fastest algorithm, which must be the same in all processes of a job: so must `cpus`. */
enum fl_barrier_way fl_barrier_choose(unsigned threads, unsigned cpus);

/* In each process, before use; `names` are those of the kinds of marks, for messages. */
void fl_barrier_attach(struct fl_barrier *barrier, void *memory, unsigned threads,
                       enum fl_barrier_way way, struct fl_wait_policy policy,
                       const char *const *names);

/* In each process after attaching, with the threads of this host: the job has several hosts. From
 * when comm is connected on, messages may arrive. */
void fl_barrier_connect(struct fl_barrier *barrier, const struct fl_layout *layout);

/* The same with other means than comm, for tests; fl_barrier_hear must be called for each
 * message. */
void fl_barrier_connect_by(struct fl_barrier *barrier, const struct fl_layout *layout,
                           fl_barrier_tell *tell);
void fl_barrier_hear(const struct fl_barrier *barrier, const uint64_t words[3], const char *file,
                     size_t file_bytes);

/* Each thread alternates the two; anything else, and kinds or values that differ, is fatal. Notify
 * waits for no other thread, only until its own relaxed writes to other hosts have ended, and
 * releases; wait blocks until all threads have notified, and acquires. Neither is a full fence. */
void fl_barrier_notify(const struct fl_barrier *barrier, struct fl_barrier_thread *thread,
                       const struct fl_barrier_mark *mark);
void fl_barrier_wait(const struct fl_barrier *barrier, struct fl_barrier_thread *thread,
                     const struct fl_barrier_mark *mark);

/* The record of the thread's last notify; for that thread alone. */
const struct fl_barrier_record *fl_barrier_last(const struct fl_barrier *barrier,
                                                const struct fl_barrier_thread *thread);

/* For reports of why others wait in an epoch: null if a thread of this host has notified in it, or
 * else its record of the epoch before, which may change at any time. */
const struct fl_barrier_record *fl_barrier_late(const struct fl_barrier *barrier, unsigned thread,
                                                uint32_t epoch);

#endif
