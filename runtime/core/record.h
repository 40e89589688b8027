/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The recording of a thread for the report (upcrun -report, FURLONG_REPORT; docs/report.md): a file
 * of its own, mapped, so that whatever ends the thread leaves what it has done until then. Only the
 * thread itself writes there; the launcher reads it after the job.
 *
 *     header | sites | peers | strings | rows | events
 *
 * A site is a place of the program and what is done there, with its sums. A peer is another thread
 * (or, of OpenMP programs, a host) and what was exchanged with it. A row has the accesses of one
 * place that the program counts itself, by the threads of this host whose memory they went to: they
 * are not in the sums, to which the reader adds them. Events are a ring: the newest ones stay. All
 * numbers are the machine's own, little-endian; tools/src/report/recording.rs reads them.
 */
#ifndef FL_CORE_RECORD_H
#define FL_CORE_RECORD_H

#include "core/status.h"

#include <stdatomic.h>

#define FL_RECORD_MAGIC 0x31434552474e4c46ull /* "FLNGREC1" in memory */

enum {
    FL_RECORD_VERSION = 3,
    FL_RECORD_MAX_SITES = 4096,
    FL_RECORD_ROWS_BYTES = 4 << 20, /* most */
    FL_RECORD_STRING_BYTES = 256 << 10,
    FL_RECORD_NAME_BYTES = 64,
    FL_RECORD_PROGRAM_BYTES = 512,
};

/* No other thread takes part. */
#define FL_RECORD_NOBODY UINT32_MAX

enum fl_record_model { FL_RECORD_UPC, FL_RECORD_OPENMP };

struct fl_record_header {
    uint64_t magic;
    uint32_t version, header_bytes;
    uint32_t model; /* enum fl_record_model */
    uint32_t thread, threads;
    uint32_t process, host, hosts;
    uint32_t max_sites, max_peers, max_string_bytes;
    uint32_t max_events; /* a power of two */
    uint64_t sites_at, peers_at, strings_at, events_at; /* bytes from the file's begin */
    uint64_t begin_ns, begin_real_ns; /* the monotonic clock, and the time of day at that moment */
    uint64_t end_ns;                  /* 0: the thread has not ended in order */
    uint64_t used_sites, used_string_bytes;
    _Atomic uint64_t events;          /* so many were written; the newest max_events are there */
    uint64_t shared_bytes, shared_peak_bytes; /* of its segment, as far as the thread has seen */
    uint64_t resident_bytes;                  /* largest of its process; 0: not known */
    uint64_t rows_at, used_rows;
    uint32_t max_rows, row_counts; /* row_counts: of each row, */
    uint32_t first_peer, padding;  /* the first of which is this one's */
    char host_name[FL_RECORD_NAME_BYTES];
    char program[FL_RECORD_PROGRAM_BYTES];
};

/* Texts are offsets into the strings; 0 is the empty text. */
struct fl_record_site {
    uint32_t what, file, call; /* call: the function of the library, if it is one */
    int32_t line;
    uint64_t operations, bytes, ns, longest_ns;
    uint64_t own, near, far;       /* operations on memory of its own, its host, other hosts */
    uint32_t least_size, largest_size; /* bytes of an operation; UINT32_MAX: or more */
    uint32_t peer, first_peer;     /* of most operations (majority vote), and the first one's */
    uint64_t votes;                /* of `peer`; as many as near + far: no other */
};

struct fl_record_peer {
    uint64_t reads, read_bytes, writes, written_bytes;
};

enum fl_record_row_flag {
    FL_RECORD_ROW_WITH_OWN = 1, /* the thread's own memory is to be told of */
    FL_RECORD_ROW_SAMPLED = 2   /* of loops that were looked at in some iterations, which stand for all */
};

struct fl_record_row {
    uint32_t reads, writes; /* the sites where each access counts; 0: none */
    uint32_t bytes;         /* of an access */
    uint32_t flags;         /* enum fl_record_row_flag; the program sets them (furlong/upcr_counts.h) */
    uint64_t counts[];      /* row_counts */
};

struct fl_record_event {
    uint64_t begin_ns, ns;
    uint32_t site, peer;
    uint64_t value; /* bytes, or the address of a lock */
};

_Static_assert(sizeof(struct fl_record_site) == 96 && sizeof(struct fl_record_event) == 32,
               "the format of version 3");

struct fl_record_setup {
    const char *folder;
    enum fl_record_model model;
    unsigned thread, threads, process, host, hosts;
    unsigned peers; /* threads of the job, or hosts */
    unsigned first_near, near; /* of them, those of this host, whose memory rows count */
    uint64_t events;
    const char *host_name;
};

/* What is done at the sites of a row. */
#define FL_RECORD_READ "read"
#define FL_RECORD_WRITE "write"

enum fl_record_side { FL_RECORD_WAITS, FL_RECORD_READS, FL_RECORD_WRITES };
enum fl_record_reach { FL_RECORD_OWN, FL_RECORD_NEAR, FL_RECORD_FAR };

/* One thing that the thread has done. Texts live as long as the program: they are told apart by
 * their addresses. */
struct fl_record_step {
    const char *what, *file, *call; /* file and call: null if not known, or none */
    int line;
    unsigned operations;
    enum fl_record_side side;
    enum fl_record_reach reach;
    uint32_t peer;
    uint64_t bytes, value;
    uint64_t begin_ns, ns; /* begin 0: no time was taken, and it is no event */
};

struct fl_record;

/* Opens the calling thread's file; fatal if it cannot be. */
FL_COLD struct fl_record *fl_record_open(const struct fl_record_setup *setup);

/* The time counts from `at_ns`, if not from the opening. */
void fl_record_begin(struct fl_record *record, uint64_t at_ns);

void fl_record_add(struct fl_record *record, const struct fl_record_step *step);

/* A place where the program counts accesses itself. */
struct fl_record_place {
    const char *file;
    int line;
    bool reads, writes; /* an access may do both */
    bool with_own;
    uint32_t bytes;
};

/* The counts of a new row for it; null if there is no room. */
FL_COLD uint64_t *fl_record_row(struct fl_record *record, const struct fl_record_place *place);

/* The thread's shared memory has so many bytes now. */
void fl_record_memory(struct fl_record *record, uint64_t bytes);

/* The thread ends; nothing may be added afterwards. Safe in signal handlers. */
void fl_record_close_sigsafe(struct fl_record *record);

#endif
