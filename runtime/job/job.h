/* SPDX-License-Identifier: BSD-3-Clause */
/* What the launcher says in FURLONG_JOB (docs/launch.md). */
#ifndef FL_JOB_JOB_H
#define FL_JOB_JOB_H

#include "net/net.h"
#include "space/layout.h"

enum { FL_JOB_THREADS_MOST = 1 << 20 };

struct fl_launcher_ops;

struct fl_job {
    unsigned threads;
    unsigned procs, proc;  /* how many processes, and which this is */
    unsigned first, count; /* threads of this process */
    int mem, ctl;          /* descriptors; -1: none */
    uint64_t heap;         /* bytes per thread; 0: no limit */
    bool quiet;
    bool polite;
    bool trace;           /* count what each line costs, and tell at the end */
    bool stats;           /* count, and tell at the end */
    bool tag;             /* the launcher tags lines with the process that prints them */
    bool freezes;         /* a thread that fails waits for a debugger */
    bool asked;           /* the launcher may ask where threads are */
    int freeze;           /* the thread that waits for a debugger before main; -1: none */
    unsigned hosts, host; /* how many hosts, and which this is */
    unsigned pthreads;    /* threads of each process; the last of a host may have fewer */
    unsigned host_cpus;   /* that this host's processes may use together; 0: not known */
    const struct fl_launcher_ops *launcher; /* what has started the job, or null */
    uint64_t id;          /* a random number that tells jobs apart, no secret; one host: 0 */
    unsigned char key[FL_NET_KEY_BYTES]; /* that only processes of the job know; one host: zeros */
    char *text;           /* what was parsed; the others point into it */
    char *cpus;           /* "0-1+4:2:5", or null */
    char *places;         /* "0.0:1.0", or null */
    char *host_first;     /* "0:4:8", the first thread of each host; one host: null */
    char *names;          /* of hosts, each ends with a zero byte; or null */
    char *net;            /* the transport; one host: null */
    char *interface;      /* the only network interface to use, or null */
    char *root;           /* where the launcher is installed, or null */
};

/* Where a bound thread runs: threads with equal numbers share a cache, a memory node. */
struct fl_job_place {
    unsigned cache, node;
};

/* A job of one process with one thread and no launcher. */
void fl_job_alone(struct fl_job *job);

/* Parses `text`, which it changes and keeps; null or what is wrong with it. */
const char *fl_job_parse(struct fl_job *job, char *text);

/* The bytes that `hex`, digits alone, stands for; their number, 0 if it is something else. */
size_t fl_job_bytes(const char *hex, unsigned char *bytes, size_t room);

/* Decodes what was percent-encoded, in place; the parts that colons separate end with zero bytes
 * then. Null: nothing. */
void fl_job_decode(char *text);

/* What the launcher has said, if it has; programs that this one starts do not hear it. False if
 * FURLONG_JOB is not set; fatal if it cannot be understood. */
FL_MUST_USE bool fl_job_take(struct fl_job *job);
FL_COLD _Noreturn void fl_job_refuse(const char *wrong);

/* Who is where; false if the numbers do not add up. */
FL_MUST_USE bool fl_job_layout(const struct fl_job *job, struct fl_layout *layout);

/* A host's name, for messages; the calling thread's until it asks again. */
const char *fl_job_host_name(const struct fl_job *job, unsigned host);

/* The CPUs of the process's i-th thread, a bit for each; false if it is not bound. */
enum { FL_JOB_CPU_WORDS = 16 };
FL_MUST_USE bool fl_job_cpus(const struct fl_job *job, unsigned i,
                              uint64_t words[FL_JOB_CPU_WORDS]);

/* The place of any thread of the job; false if it is not known. */
FL_MUST_USE bool fl_job_place(const struct fl_job *job, unsigned thread,
                               struct fl_job_place *place_p);

#endif
